#include "worker/leader_table.h"

#include "sample_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::worker {
namespace {

std::string target_of(const LeaderTable& table, const std::string& job) {
  const auto target = table.target(job);
  return target ? target->name : "";
}

TEST(LeaderTable, JobLeaderThenGroupLeaderThenOthers) {
  LeaderTable table;
  EXPECT_EQ(target_of(table, "job"), "");
  for (const std::uint8_t number : {1, 2, 3}) table.manager_up(manager(number));
  table.group_leader(manager(2));
  EXPECT_TRUE(table.lead("job", manager(3), 10));
  EXPECT_EQ(table.round("job"), 3U);
  for (const char* const expected : {"m3", "m2", "m1", "m3"}) {
    EXPECT_EQ(target_of(table, "job"), expected);
    table.failed("job", table.target("job")->address);
  }
  EXPECT_EQ(target_of(table, "unknown"), "m2");
}

TEST(LeaderTable, EpochOfALeaderOnlyRises) {
  LeaderTable table;
  EXPECT_TRUE(table.lead("job", manager(1), 10));
  EXPECT_FALSE(table.lead("job", manager(1), 10)) << "no news";
  EXPECT_FALSE(table.lead("job", manager(2), 9));
  EXPECT_EQ(target_of(table, "job"), "m1");
  EXPECT_TRUE(table.lead("job", manager(2), 11));
  EXPECT_EQ(table.epoch("job"), 11U);
}

// Who names it may not know yet that it is gone: the others must have their turn.
TEST(LeaderTable, NamingTheKnownLeaderIsNoNews) {
  LeaderTable table;
  for (const std::uint8_t number : {1, 2, 3}) table.manager_up(manager(number));
  table.lead("job", manager(1), 10);
  table.failed("job", manager(1).address);
  EXPECT_FALSE(table.lead("job", manager(1), 10));
  EXPECT_EQ(target_of(table, "job"), "m2");
  table.failed("job", manager(2).address);
  EXPECT_EQ(target_of(table, "job"), "m3");
  table.lead_answers("job");
  EXPECT_EQ(target_of(table, "job"), "m1");
}

TEST(LeaderTable, LostLeaderIsNotAskedAgain) {
  LeaderTable table;
  table.manager_up(manager(1));
  table.manager_up(manager(2));
  table.group_leader(manager(1));
  table.lead("job", manager(1), 10);
  table.manager_down(manager(1).address);
  EXPECT_EQ(target_of(table, "job"), "m2");
  EXPECT_EQ(table.round("job"), 1U);
  EXPECT_EQ(table.epoch("job"), 10U) << "an older one may not come back";
}

TEST(LeaderTable, FailureOfAnotherThanTheTargetIsOld) {
  LeaderTable table;
  table.manager_up(manager(1));
  table.manager_up(manager(2));
  table.lead("job", manager(2), 10);
  table.failed("job", manager(1).address);
  EXPECT_EQ(target_of(table, "job"), "m2");
}

}  // namespace
}  // namespace hyperscale::worker

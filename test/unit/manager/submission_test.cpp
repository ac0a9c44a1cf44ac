#include "manager/submission.h"

#include "some_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::manager {
namespace {

Submission submission(const std::vector<SomeWorkflow>& workflows) {
  Submission submission;
  submission.job = "eu-1763535600000-k3v9x2ma-1";
  submission.plan = some_job(workflows);
  submission.workflows.resize(workflows.size());
  return submission;
}

TEST(Submission, RefusesWhatIsNoJobId) {
  Submission one = submission({{.name = "A"}});
  EXPECT_TRUE(check(one));
  for (const std::string& id : {std::string(), std::string("a/b"), std::string("a b"), std::string("\xc3\xa9"),
                                std::string(wire::kJobIdBytesMax + 1, 'x')}) {
    one.job = id;
    const Status refused = check(one);
    ASSERT_FALSE(refused) << id;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(refused.error().context, testing::StartsWith("a job id has"));
  }
}

TEST(Submission, RefusesFieldsBeyondTheirLimits) {
  const auto refused = [](auto&& change) {
    Submission one = submission({{.name = "A"}});
    change(one);
    return !check(one);
  };
  EXPECT_TRUE(refused([](Submission& one) { one.tenant.assign(129, 't'); }));
  EXPECT_TRUE(refused([](Submission& one) { one.key.assign(257, 'k'); }));
  EXPECT_TRUE(refused([](Submission& one) { one.plan.name.assign(257, 'n'); }));
  EXPECT_TRUE(refused([](Submission& one) { one.workflows.clear(); }));
  EXPECT_TRUE(refused([](Submission& one) { one.timeout = -1s; }));
  EXPECT_TRUE(refused([](Submission& one) { one.timeout = kJobTimeoutMax + 1s; }));
  EXPECT_TRUE(refused([](Submission& one) { one.datacenter_index = 1; }));
  EXPECT_TRUE(refused([](Submission& one) { one.datacenters.assign(65, "eu"); }));
  EXPECT_TRUE(refused([](Submission& one) { one.datacenters = {std::string(33, 'd')}; }));
}

TEST(Submission, TimeoutIsThePlannedTimeAndSlack) {
  Submission one = submission({{.name = "A", .duration = 10s, .start_offset = 5s},
                               {.name = "B", .duration = 12s},
                               {.name = "C", .priority = plan::Priority::kExclusive, .duration = 100s},
                               {.name = "D", .depends = {"A"}, .duration = 1000s}});
  one.plan.workflows[3].plan.load.warmup = 3s;
  one.plan.workflows[3].plan.load.graceful_stop = 30s;
  EXPECT_EQ(timeout_of(one), 15s + 100s + 1033s + kTimeoutSlack);
  one.timeout = 7s;
  EXPECT_EQ(timeout_of(one), 7s);
}

TEST(Submission, TimeoutOfACountIsADay) {
  EXPECT_EQ(timeout_of(submission({{.name = "A", .duration = 0s, .iterations = 10}})), kTimeoutByCount);
}

}  // namespace
}  // namespace hyperscale::manager

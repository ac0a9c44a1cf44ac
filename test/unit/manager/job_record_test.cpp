#include "manager/job_record.h"

#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::manager {
namespace {

std::vector<JobState> all_states() {
  std::vector<JobState> states;
  for (std::size_t i = 0; i < kJobStates; ++i) states.push_back(static_cast<JobState>(i));
  return states;
}

// proves part: JOB-STATE-1 (which transitions are legal)
// proves part: EXEC-SM-1 (which transitions are legal)
TEST(JobRecord, FollowsTheTable) {
  using enum JobState;
  std::set<std::pair<JobState, JobState>> legal{
      {kSubmitted, kClassifying}, {kClassifying, kProvisioning}, {kProvisioning, kDispatching},
      {kProvisioning, kQueued},   {kProvisioning, kFailed},      {kQueued, kDispatching},
      {kDispatching, kRunning},   {kRunning, kCompleting},       {kRunning, kTimeout},
      {kCompleting, kCompleted},  {kCompleting, kPartial},       {kCancelling, kCancelled},
      {kDispatching, kCompleting}};
  for (const JobState from : {kSubmitted, kClassifying, kProvisioning, kQueued, kDispatching, kRunning, kCompleting}) {
    legal.emplace(from, kFailed);
    legal.emplace(from, kCancelling);
  }
  for (const JobState from : all_states())
    for (const JobState to : all_states())
      EXPECT_EQ(may_follow(from, to), legal.contains({from, to})) << name(from) << " to " << name(to);
  EXPECT_EQ(name(kCancelling), "CANCELLING");
  EXPECT_EQ(name(kTimeout), "TIMEOUT");
}

TEST(JobRecord, KeepsItsHistory) {
  JobRecord record(MonoTime() + 1s);
  record.enter(JobState::kClassifying, MonoTime() + 2s);
  record.enter(JobState::kFailed, MonoTime() + 3s, "no workers");
  EXPECT_TRUE(record.over());
  EXPECT_EQ(record.since(), MonoTime() + 3s);
  EXPECT_EQ(record.reason(), "no workers");
  ASSERT_EQ(record.history().size(), 3U);
  EXPECT_EQ(record.history()[1].at, MonoTime() + 2s);
}

TEST(JobRecord, SaysWhyItWaitsSinceAndUntilWhen) {
  JobRecord record{MonoTime()};
  record.waits("16 cores", MonoTime() + 1s, MonoTime() + 60s);
  record.waits("16 cores", MonoTime() + 2s, MonoTime() + 60s);
  EXPECT_EQ(record.waiting(), (Waiting{"16 cores", MonoTime() + 1s, MonoTime() + 60s}));
  record.waits("8 cores", MonoTime() + 3s);
  EXPECT_EQ(record.waiting()->since, MonoTime() + 3s);
  record.enter(JobState::kFailed, MonoTime() + 4s);
  EXPECT_EQ(record.waiting(), std::nullopt);
}

TEST(JobRecordDeathTest, TerminalJobNeverChanges) {
  JobRecord record{MonoTime()};
  record.enter(JobState::kCancelling, MonoTime());
  record.enter(JobState::kCancelled, MonoTime());
  EXPECT_DEATH(record.enter(JobState::kCompleted, MonoTime()), "from CANCELLED to COMPLETED");
}

}  // namespace
}  // namespace hyperscale::manager

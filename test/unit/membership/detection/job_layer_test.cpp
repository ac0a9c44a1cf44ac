#include "membership/detection/job_layer.h"

#include "detection_world.h"
#include "sim/bugs/bug_planter.h"

#include <gtest/gtest.h>

namespace hyperscale::membership {
namespace {

const JobKey kJob("eu-1-client-7");
const JobKey kOther("eu-1-client-8");

// proves: AD30-JOB-2
TEST(PollInterval, FollowsTheTimeLeft) {
  const PollConfig config;
  EXPECT_EQ(poll_interval(6s, config), 1'000ms);
  EXPECT_EQ(poll_interval(5s + 1ns, config), 1'000ms);
  EXPECT_EQ(poll_interval(5s, config), 250ms);
  EXPECT_EQ(poll_interval(1s, config), 250ms);
  EXPECT_EQ(poll_interval(1s - 1ns, config), 50ms);
}

// When the layer asks to be woken, in milliseconds after the suspicion, up to its death.
std::vector<std::int64_t> polls(double health_multiplier) {
  DetectionConfig config;
  config.reconcile_interval = 3'600s;
  DetectionWorld world(config);
  world.suspect_job(kJob, 7);
  world.detector.set_health_multiplier(health_multiplier);
  std::vector<std::int64_t> at;
  for (;;) {
    world.now = world.detector.next_wake();
    at.push_back((world.now - kStart) / 1ms);
    if (!world.detector.expire(world.now).job.empty()) return at;
  }
}

// proves: AD30-JOB-2, AD30-TEST-1
TEST(JobLayer, IsPolledByTheTableTimesLocalHealth) {
  const auto plain = polls(1);
  // 5 s by seconds, 4 s by quarters, then by 50 ms: at exactly 1 s left the row of the quarters still holds.
  ASSERT_GE(plain.size(), 25U);
  EXPECT_EQ(std::vector(plain.begin(), plain.begin() + 7),
            (std::vector<std::int64_t>{1'000, 2'000, 3'000, 4'000, 5'000, 5'250, 5'500}));
  EXPECT_EQ(plain[plain.size() - 2], 9'950);
  EXPECT_EQ(plain.back(), 10'000);

  // The first wait was set before the observer became slow.
  const auto slow = polls(2);
  EXPECT_EQ(std::vector(slow.begin(), slow.begin() + 5),
            (std::vector<std::int64_t>{1'000, 3'000, 5'000, 5'500, 6'000}));
  EXPECT_EQ(slow[slow.size() - 2], 9'900);
  EXPECT_EQ(slow.back(), 10'000);

  const auto slower = polls(3);
  EXPECT_EQ(std::vector(slower.begin(), slower.begin() + 4), (std::vector<std::int64_t>{1'000, 4'000, 7'000, 7'750}));
}

// proves: AD30-TEST-1
TEST(JobLayer, ConfirmationsShortenTimeoutAtNextPoll) {
  DetectionWorld world;
  world.suspect_job(kJob, 7);
  EXPECT_FALSE(world.detector.confirm_job(kJob, node(7), life(1), node(1), world.now));
  for (const int voice : {2, 3, 4}) {
    EXPECT_TRUE(world.detector.confirm_job(kJob, node(7), life(1), node(voice), world.now));
  }
  EXPECT_FALSE(world.detector.confirm_job(kOther, node(7), life(1), node(2), world.now));
  const Expired expired = world.pass(1s);
  ASSERT_EQ(expired.job.size(), 1U);
  EXPECT_EQ(expired.job[0].deadline, kStart + 1s);
}

// proves: AD30-TEST-1
TEST(JobLayer, RefutationNeedsHigherIncarnation) {
  DetectionWorld world;
  world.suspect_job(kJob, 7, 2);
  EXPECT_FALSE(world.detector.refute_job(kJob, node(7), life(2)));
  EXPECT_TRUE(world.detector.refute_job(kJob, node(7), life(3)));
  EXPECT_TRUE(world.pass(20s).job.empty());

  world.suspect_job(kJob, 7, 3);
  EXPECT_EQ(world.pass(20s).job.size(), 1U);
  EXPECT_FALSE(world.suspect_job(kJob, 7, 3)) << "dead for the job already";
  EXPECT_FALSE(world.detector.refute_job(kJob, node(7), life(3)));
  EXPECT_TRUE(world.detector.refute_job(kJob, node(7), life(4)));
  EXPECT_TRUE(world.detector.is_alive_for_job(kJob, node(7)));
}

// proves: AD30-TEST-1
TEST(JobLayer, AJobThatEndsTakesItsSuspicionsAndDeathsAlong) {
  DetectionWorld world;
  world.suspect_job(kJob, 7);
  world.pass(11s);
  world.suspect_job(kJob, 8);
  world.suspect_job(kOther, 8);
  EXPECT_EQ(world.detector.clear_job(kJob), 2U);
  EXPECT_EQ(world.detector.clear_job(kJob), 0U);
  EXPECT_TRUE(world.detector.is_alive_for_job(kJob, node(7)));
  const Expired expired = world.pass(20s);
  ASSERT_EQ(expired.job.size(), 1U);
  EXPECT_EQ(expired.job[0].job, kOther);
}

TEST(JobLayer, AJobsOwnMembersDecideHowManyCanConfirm) {
  DetectionWorld world;
  world.detector.set_job_members(kJob, 2);
  world.suspect_job(kJob, 7);
  const Expired expired = world.pass(1'100ms);
  ASSERT_EQ(expired.job.size(), 1U) << "nobody else could confirm";
  world.suspect_job(kOther, 7);
  EXPECT_TRUE(world.pass(1'100ms).job.empty());
  world.detector.set_job_members(kOther, 2);
  EXPECT_EQ(world.pass(1s).job.size(), 1U) << "the members left meanwhile";
}

// proves: AD30-TEST-1
// proves part: AD30-LIM-1 (jobs: orphans go first; the three default limits)
TEST(JobLayer, LimitEvictsOrphansThenRefusesSuspicions) {
  DetectionConfig config;
  EXPECT_EQ(config.limits.max_suspicions_per_job, 1'000U);
  EXPECT_EQ(config.limits.max_total_suspicions, 50'000U);
  EXPECT_EQ(config.wheel.max_entries, 10'000U);
  config.limits.max_suspicions_per_job = 2;
  config.limits.max_total_suspicions = 4;
  DetectionWorld world(config);
  EXPECT_TRUE(world.suspect_job(kJob, 1));
  EXPECT_TRUE(world.suspect_job(kJob, 2));
  EXPECT_FALSE(world.suspect_job(kJob, 3)) << "the job is full";
  EXPECT_EQ(world.detector.stats().refused_job_full, 1U);
  EXPECT_TRUE(world.suspect_job(kOther, 1));
  EXPECT_TRUE(world.suspect_job(kOther, 2));
  EXPECT_FALSE(world.suspect_job(JobKey("third"), 1)) << "all jobs together are full";
  EXPECT_EQ(world.detector.stats().refused_total_full, 1U);
  EXPECT_TRUE(world.detector.confirm_job(kJob, node(1), life(1), node(9), world.now)) << "what is tracked goes on";

  world.detector.set_job_members(kOther, 0);
  world.pass(200ms);
  EXPECT_TRUE(world.suspect_job(JobKey("third"), 1)) << "the other job has nobody left: its entries were orphans";
  EXPECT_EQ(world.detector.stats().orphans_cleared, 2U);
  EXPECT_EQ(world.pass(20s).job.size(), 3U);
}

// With a bug planted that leaves the suspicions of the dead behind.
// proves part: AD30-LIM-1 (jobs: orphans go first)
TEST(JobLayer, AFullJobLosesTheDeadFirst) {
  DetectionConfig config = planted({.global_death_keeps_jobs = BugPlanter::planted()});
  config.limits.max_suspicions_per_job = 1;
  DetectionWorld world(config);
  EXPECT_TRUE(world.suspect_job(kJob, 1));
  EXPECT_TRUE(world.detector.declare_global_death(node(1), life(1), world.now));
  EXPECT_TRUE(world.suspect_job(kJob, 2));
  EXPECT_EQ(world.detector.stats().orphans_cleared, 1U);
}

// proves: AD30-TEST-1
// proves part: AD30-LIM-1 (a full wheel refuses; not that it looks for orphans first)
TEST(GlobalLimit, AFullWheelRefusesAndCounts) {
  DetectionConfig config;
  config.wheel.max_entries = 2;
  DetectionWorld world(config);
  EXPECT_TRUE(world.suspect(1));
  EXPECT_TRUE(world.suspect(2));
  EXPECT_FALSE(world.suspect(3));
  EXPECT_EQ(world.detector.stats().refused_wheel_full, 1U);
  EXPECT_TRUE(world.suspect(2, 2)) << "a new suspicion of a tracked node takes the place of the old one";
  EXPECT_EQ(world.pass(31s).global.size(), 2U) << "what is tracked goes on";
  EXPECT_TRUE(world.suspect(3)) << "and there is room again";
}

TEST(GlobalLimit, MemberCountsOfTooManyJobsAreIgnoredAndCounted) {
  DetectionConfig config;
  config.limits.max_jobs = 1;
  DetectionWorld world(config);
  world.detector.set_job_members(kJob, 5);
  world.detector.set_job_members(kOther, 5);
  world.detector.set_job_members(kJob, 6);
  EXPECT_EQ(world.detector.stats().job_counts_ignored, 1U);
}

}  // namespace
}  // namespace hyperscale::membership

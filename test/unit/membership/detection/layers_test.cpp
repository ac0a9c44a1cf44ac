// The two layers against each other. AD-30 names the tests that must exist; besides those here they are: the wheel's in
// timing_wheel_test.cpp, polling, confirmation, cleanup and limits in job_layer_test.cpp, reconciliation in
// reconciliation_test.cpp, starvation, coordination, local health, rejoin and interleavings (the core has one thread)
// in failure_detector_test.cpp.
#include "detection_world.h"

#include <gtest/gtest.h>

namespace hyperscale::membership {
namespace {

const JobKey kJob1("job-1");
const JobKey kJob2("job-2");

// proves: AD30-TEST-1
TEST(Layers, JobSuspicionKillsOnlyForThatJob) {
  DetectionWorld world;
  world.suspect_job(kJob1, 7);
  world.suspect_job(kJob2, 7);
  const Expired expired = world.pass(60s);
  EXPECT_EQ(expired.job.size(), 2U);
  EXPECT_TRUE(expired.global.empty());
  EXPECT_TRUE(world.detector.is_alive_global(node(7)));
  EXPECT_FALSE(world.detector.is_alive_for_job(kJob1, node(7)));
  EXPECT_TRUE(world.detector.is_alive_for_job(JobKey("job-3"), node(7)));
}

// proves: AD30-TEST-1
TEST(Layers, GlobalDeathCountsForJobsWithoutJobEvents) {
  DetectionWorld world;
  world.suspect(7);
  EXPECT_TRUE(world.detector.is_alive_for_job(kJob1, node(7))) << "suspected is not dead";
  const Expired expired = world.pass(60s);
  EXPECT_EQ(expired.global.size(), 1U);
  EXPECT_TRUE(expired.job.empty());
  EXPECT_FALSE(world.detector.is_alive_for_job(kJob1, node(7)));
  EXPECT_FALSE(world.detector.answered_job(kJob1, node(7)));
  EXPECT_FALSE(world.detector.is_alive_for_job(kJob1, node(7))) << "an answer for a job revives nobody";
}

// proves: AD30-TEST-1, AD30-JOB-1
TEST(Layers, CompletedJobKeepsOtherSuspicionsRunning) {
  DetectionWorld world;
  world.suspect_job(kJob1, 7);
  world.suspect_job(kJob2, 7);
  world.suspect(7);
  world.pass(500ms);
  EXPECT_EQ(world.detector.clear_job(kJob1), 1U);
  const Expired expired = world.pass(60s);
  EXPECT_EQ(expired.job.size(), 1U);
  EXPECT_EQ(expired.job.front().job, kJob2);
  EXPECT_EQ(expired.global.size(), 1U) << "the machine's own suspicion runs on";
}

// proves: AD30-JOB-1
TEST(Layers, AnAnswerForAJobEndsItsSuspicionAndNoOther) {
  DetectionWorld world;
  world.suspect_job(kJob1, 7);
  world.suspect_job(kJob1, 8);
  world.suspect_job(kJob2, 7);
  EXPECT_TRUE(world.detector.answered_job(kJob1, node(7)));
  EXPECT_EQ(world.detector.stats().job_refutations, 1U);
  EXPECT_EQ(world.detector.job_entries(), 2U);
  EXPECT_TRUE(world.suspect_job(kJob1, 7));
  EXPECT_TRUE(world.detector.refute_job(kJob1, node(7), life(2)));
  EXPECT_EQ(world.detector.job_entries(), 2U) << "nor does a refutation end another";
  EXPECT_TRUE(world.suspect_job(kJob1, 7));
  for (const int voice : {2, 3, 4}) world.detector.confirm_job(kJob1, node(7), life(1), node(voice), world.now);
  const Expired confirmed = world.pass(2s);
  ASSERT_EQ(confirmed.job.size(), 1U) << "who confirms does so for one job and one node";
  EXPECT_EQ(confirmed.job[0].job, kJob1);
  EXPECT_EQ(confirmed.job[0].node, node(7));
  EXPECT_EQ(world.pass(60s).job.size(), 2U);
}

}  // namespace
}  // namespace hyperscale::membership

#include "manager/worker_loss.h"

#include <gtest/gtest.h>

namespace hyperscale::manager {
namespace {

LostAttempt running(Duration counted_to) {
  return {.started = true, .counted_to = counted_to, .attempts = 1};
}

TEST(WorkerLoss, ResumesFromTheLastAcknowledgedSecond) {
  const LossDecision decision = decide_loss(running(7s), OnWorkerLoss::kDefault);
  EXPECT_TRUE(decision.again);
  EXPECT_EQ(decision.from_elapsed, 7s);
  EXPECT_EQ(decision.counted_to, 7s);
}

TEST(WorkerLoss, ResumesAResumedAttempt) {
  LostAttempt lost = running(3s);
  lost.from_elapsed = 7s;  // lost before it has acknowledged anything
  const LossDecision decision = decide_loss(lost, OnWorkerLoss::kResume);
  EXPECT_EQ(decision.from_elapsed, 7s);
  EXPECT_EQ(decision.counted_to, 7s);  // nothing of it counts
}

TEST(WorkerLoss, RerunsWhatIsBoundedByACount) {
  LostAttempt lost = running(7s);
  lost.bounded_by_count = true;
  for (const OnWorkerLoss wish : {OnWorkerLoss::kDefault, OnWorkerLoss::kResume, OnWorkerLoss::kRerun}) {
    const LossDecision decision = decide_loss(lost, wish);
    EXPECT_TRUE(decision.again);
    EXPECT_EQ(decision.from_elapsed, 0s);
    EXPECT_EQ(decision.counted_to, 0s);
  }
}

TEST(WorkerLoss, PartialKeepsWhatItHas) {
  const LossDecision decision = decide_loss(running(7s), OnWorkerLoss::kPartial);
  EXPECT_FALSE(decision.again);
  EXPECT_EQ(decision.counted_to, 7s);
}

TEST(WorkerLoss, NothingIsLostBeforeTheStart) {
  LostAttempt lost = running(0s);
  lost.started = false;
  lost.from_elapsed = 4s;
  for (const OnWorkerLoss wish : {OnWorkerLoss::kDefault, OnWorkerLoss::kRerun, OnWorkerLoss::kPartial}) {
    const LossDecision decision = decide_loss(lost, wish);
    EXPECT_TRUE(decision.again);
    EXPECT_EQ(decision.from_elapsed, 4s);
    EXPECT_EQ(decision.counted_to, 4s);
  }
}

TEST(WorkerLoss, SetupRunsAgainWhateverTheWish) {
  LostAttempt lost = running(2s);
  lost.part = wire::SharePart::kSetup;
  const LossDecision decision = decide_loss(lost, OnWorkerLoss::kPartial);
  EXPECT_TRUE(decision.again);
  EXPECT_EQ(decision.counted_to, 0s);
}

TEST(WorkerLoss, FourAttemptsAtMost) {
  LostAttempt lost = running(7s);
  lost.attempts = kAttemptsMax - 1;
  EXPECT_TRUE(decide_loss(lost, OnWorkerLoss::kRerun).again);
  lost.attempts = kAttemptsMax;
  EXPECT_FALSE(decide_loss(lost, OnWorkerLoss::kRerun).again);
  EXPECT_EQ(decide_loss(lost, OnWorkerLoss::kRerun).counted_to, 7s);  // what is left is partial
  lost.started = false;
  EXPECT_FALSE(decide_loss(lost, OnWorkerLoss::kResume).again);
}

}  // namespace
}  // namespace hyperscale::manager

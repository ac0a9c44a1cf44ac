#include "jobs/states/failed_shares.h"

#include "jobs/states/workflow_steps.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::jobs {
namespace {

using enum WorkflowState;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr MonoTime kThen = MonoTime::from_ns(9'000'000'000);

wire::ShareId id(std::uint32_t workflow, std::uint32_t number = 0) {
  return {.job = "job-1", .workflow = workflow, .share = number};
}

std::string text(const wire::ShareId& share) {
  return fmt::format("{}.{}", share.workflow, share.share);
}

std::string text(const std::vector<wire::ShareId>& shares) {
  std::string all;
  for (const auto& share : shares) all += " " + text(share);
  return all;
}

std::string text(const FailedShares::Action& action) {
  if (const auto* a = std::get_if<FailedShares::Unqueue>(&action)) return "unqueue " + text(a->share);
  if (const auto* a = std::get_if<FailedShares::AskCancel>(&action)) return "cancel " + text(a->share);
  if (const auto* a = std::get_if<FailedShares::CancelFailed>(&action)) {
    return "cancel failed " + text(a->share) + ": " + a->error;
  }
  if (const auto* a = std::get_if<FailedShares::FenceOff>(&action)) return "fence " + text(a->share);
  if (const auto* a = std::get_if<FailedShares::Requeue>(&action)) return "requeue" + text(a->shares);
  if (const auto* a = std::get_if<FailedShares::Skip>(&action)) return "skip" + text(a->shares);
  return std::get<FailedShares::Note>(action).text;
}

// Workflow 0; 1 and 2 depend on it, 3 on 2; 4 on none. One share each unless a test adds more.
class FailedSharesTest : public testing::Test {
 protected:
  FailedSharesTest() {
    for (std::uint32_t workflow = 0; workflow < 5; ++workflow) shares.add(id(workflow), kThen);
  }

  std::vector<std::string> step(const FailedShares::Event& event, MonoTime now = kThen) {
    std::vector<std::string> texts;
    for (const auto& action : failed.step(event, now)) texts.push_back(text(action));
    return texts;
  }
  void run(const wire::ShareId& share) {
    ASSERT_TRUE(begin_dispatch(shares, share, "w1", kThen));
    ASSERT_TRUE(dispatch_answered(shares, share, DispatchAnswer::kAccepted, kThen));
  }
  static FailedShares::WorkerLost lost(std::vector<FailedShares::LostShare> shares) {
    return {.worker = "w1", .shares = std::move(shares)};
  }
  std::vector<WorkflowState> states_of(const wire::ShareId& share) const {
    std::vector<WorkflowState> states;
    for (const auto& change : shares.history_of(share)->changes()) states.push_back(change.to);
    return states;
  }

  WorkflowMachine shares;
  Dependents dependents{{{}, {0}, {0}, {2}, {}}};
  FailedShares failed{shares, dependents, Prng(1)};
};

// proves part: WFSM-FAIL-1 (the order of one job; no manager runs with it yet)
// proves part: WFSM-DEP-1 (states and reason; the queue is its owner's)
// proves part: WFSM-RQ-2 (states, reason and order; the payload is the retry record's)
// proves part: WFSM-RQ-3 (the text; it is logged by its owner)
TEST_F(FailedSharesTest, ALostShareComesBackWithItsDependents) {
  run(id(0));
  EXPECT_THAT(step(lost({{id(0)}})),
              ElementsAre("Worker w1 failed, handling 1 workflows", "unqueue 1.0", "unqueue 2.0", "unqueue 3.0",
                          "Re-queued 4 workflows for job job-1 in dependency order", "requeue 0.0 1.0 2.0 3.0"));
  EXPECT_THAT(states_of(id(0)),
              ElementsAre(kDispatched, kRunning, kFailed, kFailedCancelingDependents, kFailedReadyForRetry, kPending));
  EXPECT_THAT(states_of(id(3)), ElementsAre(kCancelling, kCancelled, kPending));
  const auto& changes = shares.history_of(id(0))->changes();
  EXPECT_EQ(changes[2].reason, "worker w1 died");
  EXPECT_EQ(changes[3].reason, "cancelling 3 dependents");
  EXPECT_EQ(changes[4].reason, "dependents cancelled, ready for retry");
  EXPECT_EQ(changes[5].reason, "re-queued after failure");
  EXPECT_EQ(shares.history_of(id(1))->changes()[1].reason, "parent workflow failed");
  EXPECT_EQ(shares.state_of(id(4)), kPending);
  EXPECT_TRUE(states_of(id(4)).empty());
}

// proves: WFSM-SCN-1
TEST_F(FailedSharesTest, ARetryEndsOnAnotherWorker) {
  run(id(0));
  step(lost({{id(0)}}), kThen + 5s);
  ASSERT_TRUE(begin_dispatch(shares, id(0), "w2", kThen + 6s));
  ASSERT_TRUE(dispatch_answered(shares, id(0), DispatchAnswer::kAccepted, kThen + 6s));
  ASSERT_TRUE(result_arrived(shares, id(0), "", kThen + 60s));
  EXPECT_THAT(states_of(id(0)), ElementsAre(kDispatched, kRunning, kFailed, kFailedCancelingDependents,
                                            kFailedReadyForRetry, kPending, kDispatched, kRunning, kCompleted));
  EXPECT_EQ(shares.history_of(id(0))->changes()[6].reason, "dispatching to worker w2");
}

// proves: WFSM-FAIL-2, WFSM-SCN-2
TEST_F(FailedSharesTest, ASecondReportHasNoEffect) {
  run(id(0));
  run(id(1));
  step(lost({{id(0)}}));
  ASSERT_EQ(shares.state_of(id(0)), kFailedCancelingDependents);
  EXPECT_THAT(step(lost({{id(0)}})), IsEmpty());
  step(FailedShares::CancelAnswered{.share = id(1), .success = true});
  ASSERT_EQ(shares.state_of(id(0)), kPending);
  EXPECT_THAT(step(lost({{id(0)}})), IsEmpty());
  EXPECT_THAT(step(FailedShares::Failed{.share = id(0), .retry = true}), IsEmpty());
  for (const WorkflowState state : {kFailed, kFailedReadyForRetry, kCompleted, kCancelled}) {
    shares.add(id(4, 1), kThen, state);
    EXPECT_THAT(step(lost({{id(4, 1)}})), IsEmpty()) << name(state);
    EXPECT_EQ(shares.state_of(id(4, 1)), state);
    shares.remove(id(4, 1));
  }
}

// proves part: WFSM-DEP-2 (states, reasons and the time for an answer; the request is sent by its owner)
TEST_F(FailedSharesTest, ARunningDependentIsCancelledFirst) {
  run(id(0));
  run(id(2));
  EXPECT_THAT(step(lost({{id(0)}})),
              ElementsAre("Worker w1 failed, handling 1 workflows", "unqueue 1.0", "cancel 2.0", "unqueue 3.0"));
  EXPECT_EQ(shares.state_of(id(2)), kCancelling);
  EXPECT_EQ(failed.wake_at(), kThen + 5s);
  EXPECT_EQ(failed.recoveries(), 1U);
  EXPECT_THAT(step(FailedShares::CancelAnswered{.share = id(2), .success = true}),
              ElementsAre("Re-queued 4 workflows for job job-1 in dependency order", "requeue 0.0 1.0 2.0 3.0"));
  const auto& changes = shares.history_of(id(2))->changes();
  EXPECT_EQ(changes[3].reason, "worker confirmed cancellation");
  EXPECT_EQ(failed.recoveries(), 0U);
  EXPECT_EQ(failed.wake_at(), std::nullopt);
}

// proves part: WFSM-DEP-3 (reported, and the others go on; the text of the log line is the owner's)
TEST_F(FailedSharesTest, ACancelThatFailsHoldsUpNoOther) {
  run(id(0));
  run(id(1));
  run(id(2));
  EXPECT_THAT(step(lost({{id(0)}})),
              ElementsAre("Worker w1 failed, handling 1 workflows", "cancel 1.0", "cancel 2.0", "unqueue 3.0"));
  EXPECT_THAT(step(FailedShares::CancelAnswered{.share = id(1), .success = false, .error = "reset"}),
              ElementsAre("cancel failed 1.0: reset"));
  EXPECT_THAT(step(FailedShares::CancelAnswered{.share = id(2), .success = true}), IsEmpty());
  EXPECT_EQ(shares.state_of(id(2)), kCancelled);
  EXPECT_THAT(step(FailedShares::Tick{}, kThen + 5s), ElementsAre("cancel 1.0"));
  EXPECT_THAT(step(FailedShares::CancelAnswered{.share = id(1), .success = true}, kThen + 6s),
              ElementsAre("Re-queued 4 workflows for job job-1 in dependency order", "requeue 0.0 1.0 2.0 3.0"));
}

TEST_F(FailedSharesTest, ASilentWorkerIsFencedBeforeTheRetry) {
  run(id(0));
  run(id(1));
  step(lost({{id(0)}}));
  EXPECT_THAT(step(FailedShares::Tick{}, kThen + 5s),
              ElementsAre("cancel failed 1.0: the worker did not answer", "cancel 1.0"));
  EXPECT_THAT(step(FailedShares::Tick{}, kThen + 10s),
              ElementsAre("cancel failed 1.0: the worker did not answer", "cancel 1.0"));
  EXPECT_THAT(step(FailedShares::Tick{}, kThen + 15s - 1ns), IsEmpty());
  EXPECT_THAT(step(FailedShares::Tick{}, kThen + 15s),
              ElementsAre("cancel failed 1.0: the worker did not answer", "fence 1.0",
                          "Re-queued 4 workflows for job job-1 in dependency order", "requeue 0.0 1.0 2.0 3.0"));
}

TEST_F(FailedSharesTest, TheDeathOfItsWorkerConfirmsACancel) {
  run(id(0));
  run(id(1));
  step(lost({{id(0)}}));
  EXPECT_THAT(step(FailedShares::WorkerLost{.worker = "w2", .shares = {{id(1)}}}),
              ElementsAre("Re-queued 4 workflows for job job-1 in dependency order", "requeue 0.0 1.0 2.0 3.0"));
  EXPECT_EQ(failed.wake_at(), std::nullopt) << "no cancel is repeated";
}

TEST_F(FailedSharesTest, WhatIsLostTogetherComesBackInOrder) {
  shares.add(id(0, 1), kThen);
  for (const auto& share : {id(0), id(0, 1), id(2), id(4)}) run(share);
  EXPECT_THAT(step(lost({{id(2)}, {id(4)}, {id(0, 1)}})),
              ElementsAre("Worker w1 failed, handling 3 workflows", "unqueue 1.0", "unqueue 3.0",
                          "Re-queued 5 workflows for job job-1 in dependency order", "requeue 4.0 0.1 2.0 1.0 3.0"));
  EXPECT_EQ(shares.state_of(id(0)), kRunning) << "the share on another worker goes on";
}

TEST_F(FailedSharesTest, WithoutRetriesDependentsAreSkipped) {
  run(id(0));
  EXPECT_THAT(step(lost({{.share = id(0), .retry = false}})),
              ElementsAre("Worker w1 failed, handling 1 workflows", "skip 1.0 2.0 3.0"));
  EXPECT_EQ(shares.state_of(id(0)), kFailed);
  for (const std::uint32_t workflow : {1U, 2U, 3U}) {
    EXPECT_EQ(shares.state_of(id(workflow)), kFailed);
    EXPECT_TRUE(shares.is_over(id(workflow)));
    EXPECT_EQ(shares.history_of(id(workflow))->changes().front().reason, "dependency failed");
  }
  EXPECT_EQ(shares.state_of(id(4)), kPending) << "an independent one goes on";
}

TEST_F(FailedSharesTest, AnErrorOfItsOwnSkipsDependents) {
  run(id(2));
  ASSERT_TRUE(result_arrived(shares, id(2), "no data file", kThen));
  EXPECT_THAT(step(FailedShares::Failed{.share = id(2)}), ElementsAre("skip 3.0"));
  EXPECT_THAT(step(FailedShares::Failed{.share = id(2), .retry = true}), IsEmpty()) << "it is final";
}

TEST_F(FailedSharesTest, ARejectedShareIsQueuedAgain) {
  ASSERT_TRUE(begin_dispatch(shares, id(2), "w1", kThen));
  dispatch_answered(shares, id(2), DispatchAnswer::kRejected, kThen);
  EXPECT_THAT(step(FailedShares::Failed{.share = id(2), .retry = true}),
              ElementsAre("unqueue 3.0", "Re-queued 2 workflows for job job-1 in dependency order", "requeue 2.0 3.0"));
}

TEST_F(FailedSharesTest, ABlockedDependentIsNotQueuedAgain) {
  run(id(0));
  run(id(1));
  step(lost({{id(0)}}));
  ASSERT_EQ(shares.state_of(id(3)), kCancelled);
  // Meanwhile workflow 2 turns out to be lost for good, on which 3 depends.
  shares.add(id(2, 1), kThen, kRunning);
  step(FailedShares::WorkerLost{.worker = "w3", .shares = {{.share = id(2, 1), .retry = false}}});
  EXPECT_THAT(
      step(FailedShares::CancelAnswered{.share = id(1), .success = true}),
      ElementsAre("skip 3.0", "Re-queued 3 workflows for job job-1 in dependency order", "requeue 0.0 1.0 2.0"));
  EXPECT_EQ(shares.state_of(id(3)), kFailed);
}

TEST_F(FailedSharesTest, ACancelledJobIsNotQueuedAgain) {
  run(id(0));
  run(id(1));
  step(lost({{id(0)}}));
  shares.end_retries();
  for (const auto& share : shares.shares()) cancel_share(shares, share, kThen);
  EXPECT_THAT(step(FailedShares::CancelAnswered{.share = id(1), .success = true}), IsEmpty());
  EXPECT_EQ(failed.recoveries(), 0U);
  for (const auto& share : shares.shares()) EXPECT_EQ(shares.state_of(share), kCancelled) << text(share);
}

}  // namespace
}  // namespace hyperscale::jobs

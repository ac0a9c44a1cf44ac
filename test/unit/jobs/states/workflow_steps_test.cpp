#include "jobs/states/workflow_steps.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::jobs {
namespace {

using enum WorkflowState;
using testing::ElementsAre;

constexpr MonoTime kNow = MonoTime::from_ns(3'000'000'000);
const wire::ShareId kOne{.job = "job", .workflow = 0};

WorkflowMachine in_state(WorkflowState state) {
  WorkflowMachine shares;
  shares.add(kOne, kNow, state);
  return shares;
}

std::vector<std::string> reasons(const WorkflowMachine& shares) {
  std::vector<std::string> found;
  for (const auto& change : shares.history_of(kOne)->changes()) {
    found.push_back(fmt::format("{}: {}", name(change.to), change.reason));
  }
  return found;
}

// proves part: WFSM-8 (the guard; no dispatcher runs with it yet)
// proves part: WFSM-DISP-1 (refused and recorded; the text of the log line is the owner's)
TEST(WorkflowSteps, OnlyAPendingShareIsDispatched) {
  for (std::size_t each = 0; each < kWorkflowStates; ++each) {
    const auto state = static_cast<WorkflowState>(each);
    WorkflowMachine shares = in_state(state);
    EXPECT_EQ(begin_dispatch(shares, kOne, "w1", kNow), state == kPending) << name(state);
    EXPECT_EQ(shares.state_of(kOne), state == kPending ? kDispatched : state);
    EXPECT_EQ(shares.refused(), state == kPending ? 0U : 1U);
  }
}

// proves part: WFSM-DISP-2 (transitions, reasons, answer to the caller; not: that they precede the send)
TEST(WorkflowSteps, AnAcceptedDispatchRuns) {
  WorkflowMachine shares = in_state(kPending);
  ASSERT_TRUE(begin_dispatch(shares, kOne, "w1", kNow));
  EXPECT_TRUE(dispatch_answered(shares, kOne, DispatchAnswer::kAccepted, kNow));
  EXPECT_TRUE(dispatch_answered(shares, kOne, DispatchAnswer::kAccepted, kNow)) << "the answer comes twice";
  EXPECT_THAT(reasons(shares), ElementsAre("DISPATCHED: dispatching to worker w1", "RUNNING: worker acknowledged"));
  EXPECT_EQ(shares.refused(), 0U);
}

// proves: WFSM-SCN-8
// proves part: WFSM-DISP-2 (transitions, reasons, answer to the caller; not: that they precede the send)
TEST(WorkflowSteps, ARejectedDispatchFails) {
  WorkflowMachine shares = in_state(kPending);
  ASSERT_TRUE(begin_dispatch(shares, kOne, "w1", kNow));
  EXPECT_FALSE(dispatch_answered(shares, kOne, DispatchAnswer::kRejected, kNow));
  EXPECT_THAT(reasons(shares), ElementsAre("DISPATCHED: dispatching to worker w1", "FAILED: worker rejected dispatch"));
}

// proves part: WFSM-DISP-2 (transitions, reasons, answer to the caller; not: that they precede the send)
TEST(WorkflowSteps, AnUnansweredOrUnsentDispatchFails) {
  WorkflowMachine shares = in_state(kDispatched);
  EXPECT_FALSE(dispatch_answered(shares, kOne, DispatchAnswer::kNone, kNow));
  EXPECT_EQ(shares.state_of(kOne), kFailed);
  WorkflowMachine others = in_state(kDispatched);
  dispatch_unsent(others, kOne, "connection refused", kNow);
  EXPECT_THAT(reasons(others), ElementsAre("FAILED: dispatch exception: connection refused"));
}

TEST(WorkflowSteps, ALateAnswerDoesNotUndoACancel) {
  for (const auto answer : {DispatchAnswer::kAccepted, DispatchAnswer::kRejected, DispatchAnswer::kNone}) {
    WorkflowMachine shares = in_state(kDispatched);
    ASSERT_EQ(cancel_share(shares, kOne, kNow), CancelStep::kAskWorker);
    EXPECT_FALSE(dispatch_answered(shares, kOne, answer, kNow));
    dispatch_unsent(shares, kOne, "reset", kNow);
    EXPECT_EQ(shares.state_of(kOne), kCancelling);
    EXPECT_EQ(shares.refused(), 0U);
  }
}

// proves: WFSM-DONE-1
TEST(WorkflowSteps, OnlyARunningShareCompletes) {
  for (std::size_t each = 0; each < kWorkflowStates; ++each) {
    const auto state = static_cast<WorkflowState>(each);
    // DISPATCHED: the result was faster than the answer to the dispatch.
    const bool counts = state == kRunning || state == kDispatched;
    WorkflowMachine shares = in_state(state);
    EXPECT_EQ(result_arrived(shares, kOne, "", kNow), counts) << name(state);
    EXPECT_EQ(shares.state_of(kOne), counts ? kCompleted : state);
  }
  WorkflowMachine shares = in_state(kDispatched);
  result_arrived(shares, kOne, "", kNow);
  EXPECT_THAT(reasons(shares), ElementsAre("RUNNING: worker acknowledged", "COMPLETED: worker reported success"));
}

// proves part: RES-5 (FAILED at once, and no retry; no manager runs with it yet)
TEST(WorkflowSteps, AFailedResultIsFinal) {
  WorkflowMachine shares = in_state(kRunning);
  EXPECT_TRUE(result_arrived(shares, kOne, "no data file", kNow));
  EXPECT_THAT(reasons(shares), ElementsAre("FAILED: worker reported: no data file"));
  EXPECT_TRUE(shares.is_over(kOne));
  EXPECT_FALSE(result_arrived(shares, kOne, "", kNow));
}

// proves: WFSM-SCN-5
TEST(WorkflowSteps, AResultAfterACancelIsIgnored) {
  WorkflowMachine shares = in_state(kRunning);
  ASSERT_EQ(cancel_share(shares, kOne, kNow), CancelStep::kAskWorker);
  EXPECT_FALSE(result_arrived(shares, kOne, "", kNow));
  EXPECT_EQ(shares.state_of(kOne), kCancelling);
  EXPECT_TRUE(cancel_confirmed(shares, kOne, kNow));
  EXPECT_FALSE(result_arrived(shares, kOne, "", kNow));
  EXPECT_EQ(shares.state_of(kOne), kCancelled);
}

// proves part: WFSM-CAN-1 (the transitions; the queue is its owner's)
TEST(WorkflowSteps, APendingShareIsCancelledAtOnce) {
  WorkflowMachine shares = in_state(kPending);
  EXPECT_EQ(cancel_share(shares, kOne, kNow), CancelStep::kUnqueue);
  EXPECT_THAT(reasons(shares),
              ElementsAre("CANCELLING: job cancelled while pending", "CANCELLED: job cancelled while pending"));
}

// proves part: WFSM-CAN-2 (the transitions; the request is sent by its owner)
TEST(WorkflowSteps, ARunningShareWaitsForItsWorker) {
  for (const WorkflowState state : {kDispatched, kRunning}) {
    WorkflowMachine shares = in_state(state);
    EXPECT_EQ(cancel_share(shares, kOne, kNow), CancelStep::kAskWorker);
    EXPECT_EQ(cancel_share(shares, kOne, kNow), CancelStep::kAskWorker) << "a second cancel asks again";
    EXPECT_TRUE(cancel_confirmed(shares, kOne, kNow));
    EXPECT_FALSE(cancel_confirmed(shares, kOne, kNow));
    EXPECT_THAT(reasons(shares),
                ElementsAre("CANCELLING: job cancel request", "CANCELLED: worker confirmed cancellation"));
  }
}

TEST(WorkflowSteps, ACancelSupersedesARetry) {
  for (const WorkflowState state : {kFailed, kFailedCancelingDependents, kFailedReadyForRetry}) {
    WorkflowMachine shares = in_state(state);
    EXPECT_EQ(cancel_share(shares, kOne, kNow), CancelStep::kDone);
    EXPECT_EQ(shares.state_of(kOne), kCancelled);
  }
}

TEST(WorkflowSteps, WhatIsOverIsNotCancelled) {
  for (const WorkflowState state : {kCompleted, kCancelled, kAggregated}) {
    WorkflowMachine shares = in_state(state);
    EXPECT_EQ(cancel_share(shares, kOne, kNow), CancelStep::kNothing);
    EXPECT_EQ(shares.state_of(kOne), state);
  }
  WorkflowMachine shares = in_state(kFailed);
  shares.give_up(kOne);
  EXPECT_EQ(cancel_share(shares, kOne, kNow), CancelStep::kNothing);
  WorkflowMachine none;
  EXPECT_EQ(cancel_share(none, kOne, kNow), CancelStep::kNothing);
}

// proves: WFSM-SCN-4
// proves part: WFSM-CAN-3 (the state is claimed first; the queue is its owner's)
TEST(WorkflowSteps, OfCancelAndDispatchOneWins) {
  WorkflowMachine cancelled = in_state(kPending);
  EXPECT_EQ(cancel_share(cancelled, kOne, kNow), CancelStep::kUnqueue);
  EXPECT_FALSE(begin_dispatch(cancelled, kOne, "w1", kNow)) << "it is claimed before the queue is touched";
  WorkflowMachine dispatched = in_state(kPending);
  EXPECT_TRUE(begin_dispatch(dispatched, kOne, "w1", kNow));
  EXPECT_EQ(cancel_share(dispatched, kOne, kNow), CancelStep::kAskWorker);
}

}  // namespace
}  // namespace hyperscale::jobs

#include "jobs/states/workflow_states.h"

#include "jobs/states/workflow_machine.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace hyperscale::jobs {
namespace {

using enum WorkflowState;
using wire::WorkflowStatus;

constexpr MonoTime kBegin = MonoTime::from_ns(5'000'000'000);
const wire::ShareId kShare{.job = "job", .workflow = 1};

WorkflowState workflow_state(std::size_t number) {
  return static_cast<WorkflowState>(number);
}

struct Expected {
  std::string_view name;
  std::string_view key;
  WorkflowStatus status;
  std::set<WorkflowState> next;
};

// Sections 5.1 and 5.2 of the catalogue, with CANCELLED after the two states of a failed share that waits.
const std::map<WorkflowState, Expected>& workflow_table() {
  static const std::map<WorkflowState, Expected> table = {
      {kPending, {"PENDING", "pending", WorkflowStatus::kPending, {kDispatched, kCancelling, kFailed}}},
      {kDispatched, {"DISPATCHED", "dispatched", WorkflowStatus::kPending, {kRunning, kCancelling, kFailed}}},
      {kRunning, {"RUNNING", "running", WorkflowStatus::kRunning, {kCompleted, kFailed, kCancelling, kAggregated}}},
      {kCompleted, {"COMPLETED", "completed", WorkflowStatus::kCompleted, {}}},
      {kFailed, {"FAILED", "failed", WorkflowStatus::kFailed, {kFailedCancelingDependents, kCancelled}}},
      {kFailedCancelingDependents,
       {"FAILED_CANCELING_DEPENDENTS",
        "failed_canceling_deps",
        WorkflowStatus::kFailed,
        {kFailedReadyForRetry, kCancelled}}},
      {kFailedReadyForRetry,
       {"FAILED_READY_FOR_RETRY", "failed_ready", WorkflowStatus::kPending, {kPending, kCancelled}}},
      {kCancelling, {"CANCELLING", "cancelling", WorkflowStatus::kCancelled, {kCancelled}}},
      {kCancelled, {"CANCELLED", "cancelled", WorkflowStatus::kCancelled, {}}},
      {kAggregated, {"AGGREGATED", "aggregated", WorkflowStatus::kAggregated, {}}},
  };
  return table;
}

// proves: WFSM-7
// proves part: WFSM-1 (one atomic step; the log line is the record that a hook gets)
// proves part: WFSM-2 (changes nothing, returns false; the warning is the record that a hook gets)
TEST(WorkflowStates, EveryPairIsAsInTheTable) {
  ASSERT_EQ(workflow_table().size(), kWorkflowStates);
  for (std::size_t from = 0; from < kWorkflowStates; ++from) {
    for (std::size_t to = 0; to < kWorkflowStates; ++to) {
      const bool legal = workflow_table().at(workflow_state(from)).next.contains(workflow_state(to));
      EXPECT_EQ(may_become(workflow_state(from), workflow_state(to)), legal)
          << name(workflow_state(from)) << " to " << name(workflow_state(to));
      WorkflowMachine shares;
      ASSERT_TRUE(shares.add(kShare, kBegin, workflow_state(from)));
      EXPECT_EQ(shares.move(kShare, workflow_state(to), "test", kBegin + 1s), legal);
      EXPECT_EQ(shares.state_of(kShare), workflow_state(legal ? to : from));
      EXPECT_EQ(shares.history_of(kShare)->changes().size(), legal ? 1U : 0U);
      EXPECT_EQ(shares.transitions(workflow_state(from), workflow_state(to)), legal ? 1U : 0U);
      EXPECT_EQ(shares.refused(), legal ? 0U : 1U);
      EXPECT_EQ(shares.since_progress(kShare, kBegin + 1s), legal ? 0s : 1s);
    }
  }
}

// proves part: WFSM-6 (the map; no message is filled by it yet)
TEST(WorkflowStates, EachHasANameAKeyAndAStatus) {
  for (const auto& [state, expected] : workflow_table()) {
    EXPECT_EQ(name(state), expected.name);
    EXPECT_EQ(key(state), expected.key);
    EXPECT_EQ(parse_workflow_state(expected.key), state);
    EXPECT_EQ(status_of(state), expected.status);
    EXPECT_EQ(is_final(state), expected.next.empty());
    EXPECT_EQ(is_at_worker(state), state == kDispatched || state == kRunning || state == kCancelling);
  }
  EXPECT_FALSE(parse_workflow_state("FAILED"));
}

}  // namespace
}  // namespace hyperscale::jobs

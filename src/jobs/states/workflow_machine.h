// WorkflowMachine: the shares of one job and the state that each is in. It is the only place where that state changes
// (WFSM-1 to -7, WFSM-PROG).
//
//   WorkflowMachine shares;
//   shares.add(share, now);                                                  // PENDING
//   if (!shares.move(share, WorkflowState::kDispatched, "dispatching to worker w1", now)) return;   // lost a race
//
// Thread rule: one owner. Invariants: a state changes by the table only, except that reset() makes a share PENDING
// again that was cancelled because of its parent; each share has a bounded history; a share that is over never changes.
// Failure: a transition that is not in the table, or of an unknown share, changes nothing, is counted, and returns
// false; its caller has to act on that. A hook that throws is counted and disturbs neither the transition nor the other
// hooks.
#pragma once

#include "base/time.h"
#include "jobs/states/state_history.h"
#include "jobs/states/workflow_states.h"
#include "wire/jobs/attempt.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string_view>
#include <vector>

namespace hyperscale::jobs {

inline constexpr std::size_t kSharesPerJobMax = 65'536;
inline constexpr std::size_t kWorkflowHooksMax = 8;  // of each kind
// Four attempts are 21 changes; the rest is for cancels and resets because of parents, five changes each.
inline constexpr std::size_t kWorkflowHistoryMax = 64;

inline constexpr std::string_view kParentFailed = "parent workflow failed";

class WorkflowMachine {
 public:
  using Share = wire::ShareId;
  using History = StateHistory<WorkflowState>;
  // A transition, or one that was refused, for the log.
  struct Record {
    const Share& share;
    WorkflowState from;
    WorkflowState to;
    std::string_view reason;
    Duration in_from;  // how long it was in `from`
    bool refused;
  };
  // Called after each transition, with the new state.
  using ProgressHook = std::function<void(const Share&, WorkflowState)>;
  using RecordHook = std::function<void(const Record&)>;

  // In PENDING, or where a journal or the snapshot of a worker says. False: there already, or kSharesPerJobMax reached.
  bool add(const Share& share, MonoTime now, WorkflowState state = WorkflowState::kPending);
  void remove(const Share& share) { shares_.erase(share); }
  // REQUIRES: fewer than kWorkflowHooksMax of the kind are registered.
  void on_progress(ProgressHook hook);
  void on_record(RecordHook hook);

  bool move(const Share& share, WorkflowState to, std::string_view reason, MonoTime now);
  // FAILED becomes final: it is not retried. False in any other state.
  bool give_up(const Share& share);
  // CANCELLING, with the reason kParentFailed. reset() may undo it.
  bool cancel_for_parent(const Share& share, MonoTime now);
  // CANCELLED to PENDING, for a share that was cancelled because of its parent and by no one else.
  bool reset(const Share& share, std::string_view reason, MonoTime now);
  bool may_reset(const Share& share) const;
  // The job is cancelled or over: from now on neither reset() nor the way back to PENDING is open.
  void end_retries() { retries_ended_ = true; }
  bool retries_ended() const { return retries_ended_; }
  // Its figures grew. No transition, but progress as well.
  void touch(const Share& share, MonoTime now);

  bool contains(const Share& share) const { return shares_.contains(share); }
  // An unknown share reads as PENDING and cannot be moved.
  WorkflowState state_of(const Share& share) const;
  bool is_in(const Share& share, std::initializer_list<WorkflowState> states) const;
  // In a final state, or given up.
  bool is_over(const Share& share) const;
  // Null when unknown. Valid until the share is removed.
  const History* history_of(const Share& share) const;
  // All shares of one workflow, or of all; ascending.
  std::vector<Share> shares_of(std::uint32_t workflow) const;
  std::vector<Share> shares() const;

  // Zero when it is unknown.
  Duration since_progress(const Share& share, MonoTime now) const;
  // Not over, and without progress for more than `threshold`; ascending.
  std::vector<Share> stuck(Duration threshold, MonoTime now) const;

  std::size_t count(WorkflowState state) const;
  std::uint64_t transitions(WorkflowState from, WorkflowState to) const;
  std::uint64_t refused() const { return refused_; }
  std::uint64_t hook_failures() const { return hook_failures_; }

 private:
  struct Entry {
    WorkflowState state = WorkflowState::kPending;
    bool given_up = false;
    bool cancelled_for_parent = false;
    MonoTime entered_at;
    MonoTime progressed_at;
    History history{kWorkflowHistoryMax};
  };

  Entry* find(const Share& share);
  const Entry* find(const Share& share) const;
  static bool over(const Entry& entry);
  bool allowed(const Entry& entry, WorkflowState to) const;
  bool refuse(const Share& share, WorkflowState to, std::string_view reason, MonoTime now);
  void enter(const Share& share, Entry& entry, WorkflowState to, std::string_view reason, MonoTime now);
  void tell(const Record& record);

  std::map<Share, Entry> shares_;
  std::vector<ProgressHook> progress_hooks_;
  std::vector<RecordHook> record_hooks_;
  std::array<std::array<std::uint64_t, kWorkflowStates>, kWorkflowStates> transitions_{};
  bool retries_ended_ = false;
  std::uint64_t refused_ = 0;
  std::uint64_t hook_failures_ = 0;
};

}  // namespace hyperscale::jobs

// FailedShares: what follows when shares fail (WFSM-FAIL, WFSM-DEP, WFSM-RQ). A share that is retried goes back to the
// queue, but only when nothing that depends on it runs any more; what depends on a share that is not retried is
// skipped.
//
//   lost share      FAILED ─► FAILED_CANCELING_DEPENDENTS ─► FAILED_READY_FOR_RETRY ─► PENDING   (Requeue)
//   its dependents  PENDING, RUNNING ─► CANCELLING ─► CANCELLED ───────────────────────┘
//
// With layers that run one after the other no dependent runs when a share fails; a new leader may find one.
//
// Thread rule: one owner; part of the core of a job, whose machine and dependencies are passed in. Events that arrive
// twice have no effect. When the job is cancelled (WorkflowMachine::end_retries), recoveries end and nothing is queued.
// Bounded: a recovery has at least one share of the job, and a share is in one recovery.
#pragma once

#include "base/core.h"
#include "base/prng.h"
#include "base/time.h"
#include "jobs/dispatch/pending_cancels.h"
#include "jobs/states/dependents.h"
#include "jobs/states/workflow_machine.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hyperscale::jobs {

class FailedShares {
 public:
  using Share = wire::ShareId;

  // --- events
  struct LostShare {
    Share share;
    bool retry = true;  // false: its retries are used up (retry_record.h), and FAILED is final
  };
  // A worker died that had these shares, in whichever state.
  struct WorkerLost {
    std::string worker;
    std::vector<LostShare> shares;
  };
  // A share became FAILED otherwise: no worker took it (retry), or by its own error (never retried).
  struct Failed {
    Share share;
    bool retry = false;
  };
  struct CancelAnswered {
    Share share;
    bool success = false;
    std::string error = {};
  };
  struct Tick {};
  using Event = std::variant<WorkerLost, Failed, CancelAnswered, Tick>;

  // --- actions
  struct Unqueue {  // remove it from the queue; it is CANCELLED already
    Share share;
  };
  struct AskCancel {  // WorkflowCancelRequest by kFailureHandler
    Share share;
  };
  struct CancelFailed {  // for the log, as an error: "Failed to cancel dependent workflow SHARE: ERROR"
    Share share;
    std::string error;
  };
  struct FenceOff {  // its worker did not confirm the cancel: give the share a new fence before it runs again
    Share share;
  };
  struct Requeue {  // in this order; they are PENDING
    std::vector<Share> shares;
  };
  struct Skip {  // they will not run: "dependency failed"
    std::vector<Share> shares;
  };
  struct Note {
    std::string text;
  };
  using Action = std::variant<Unqueue, AskCancel, CancelFailed, FenceOff, Requeue, Skip, Note>;

  static constexpr std::string_view kFailureHandler = "manager_failure_handler";
  static constexpr std::string_view kDependencyFailed = "dependency failed";

  FailedShares(WorkflowMachine& shares, const Dependents& dependents, Prng prng)
      : shares_(shares), dependents_(dependents), cancels_(prng) {}

  Actions<Action> step(const Event& event, MonoTime now);
  std::optional<MonoTime> wake_at() const { return cancels_.wake_at(); }
  std::size_t recoveries() const { return recoveries_.size(); }

 private:
  struct Recovery {
    std::vector<Share> lost;
    std::vector<Share> dependents;
  };

  void handle(const WorkerLost& lost, MonoTime now, Actions<Action>& out);
  void handle(const Failed& failed, MonoTime now, Actions<Action>& out);
  void handle(const CancelAnswered& answer, MonoTime now, Actions<Action>& out);
  void handle(const Tick& tick, MonoTime now, Actions<Action>& out);

  std::set<std::uint32_t> workflows_after(const std::vector<Share>& shares) const;
  std::vector<Share> dependents_of(const std::vector<Share>& shares) const;
  void recover(std::vector<Share> lost, MonoTime now, Actions<Action>& out);
  void give_up(const Share& share, MonoTime now, Actions<Action>& out);
  void cancel_dependent(const Share& share, MonoTime now, Actions<Action>& out);
  void carry_out(const Actions<PendingCancels::Action>& actions, MonoTime now, Actions<Action>& out);
  void finish_recoveries(MonoTime now, Actions<Action>& out);
  void requeue(const Recovery& recovery, MonoTime now, Actions<Action>& out);
  std::vector<Share> in_order(const std::vector<Share>& shares) const;
  std::set<std::uint32_t> blocked_workflows() const;

  WorkflowMachine& shares_;
  const Dependents& dependents_;
  PendingCancels cancels_;
  std::vector<Recovery> recoveries_;
};

static_assert(Core<FailedShares>);

}  // namespace hyperscale::jobs

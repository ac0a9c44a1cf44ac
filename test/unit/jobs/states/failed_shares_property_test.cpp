// Recoveries under random events: workers that die, reject, answer late or never, a job that is cancelled in between.
#include "jobs/states/failed_shares.h"
#include "jobs/states/workflow_steps.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::jobs {
namespace {

using enum WorkflowState;

constexpr std::uint32_t kWorkflows = 4;
constexpr std::uint32_t kSharesEach = 2;

class RandomRecovery {
 public:
  RandomRecovery() {
    for (std::uint32_t workflow = 0; workflow < kWorkflows; ++workflow) {
      for (std::uint32_t number = 0; number < kSharesEach; ++number) {
        all_.push_back({.job = "job", .workflow = workflow, .share = number});
        shares_.add(all_.back(), now_);
      }
    }
    shares_.on_record([this](const WorkflowMachine::Record& record) {
      // Nothing is ready for a retry while something that depends on it runs.
      if (record.refused || record.to != kFailedReadyForRetry) return;
      for (const auto& other : all_) {
        if (!dependents_.depends(other.workflow, record.share.workflow)) continue;
        if (is_at_worker(shares_.state_of(other))) broken_ = "a retry before its dependents were cancelled";
      }
    });
  }

  void event() {
    now_ += std::chrono::milliseconds(*rc::gen::inRange(1, 3000));
    const wire::ShareId share = all_[*rc::gen::inRange<std::size_t>(0, all_.size())];
    switch (*rc::gen::inRange(0, 12)) {
      case 0:
      case 1:
      case 2:
        if (!waits_for_a_recovery(share)) begin_dispatch(shares_, share, "w", now_);
        break;
      case 3:
      case 4:
        dispatch_answered(shares_, share, DispatchAnswer::kAccepted, now_);
        break;
      case 5:
        if (shares_.is_in(share, {kDispatched})) {
          dispatch_answered(shares_, share, DispatchAnswer::kRejected, now_);
          step(FailedShares::Failed{.share = share, .retry = true});
        }
        break;
      case 6:
        result_arrived(shares_, share, *rc::gen::inRange(0, 4) == 0 ? "error" : "", now_);
        step(FailedShares::Failed{.share = share});
        break;
      case 7: {
        FailedShares::WorkerLost lost{.worker = "w", .shares = {}};
        for (const auto& each : all_) {
          if (*rc::gen::inRange(0, 3) == 0) lost.shares.push_back({each, *rc::gen::inRange(0, 6) != 0});
        }
        step(lost);
        break;
      }
      case 8:
      case 9:
        step(FailedShares::CancelAnswered{.share = share, .success = *rc::gen::inRange(0, 3) != 0, .error = "e"});
        break;
      case 10:
        step(FailedShares::Tick{});
        break;
      default:
        if (*rc::gen::inRange(0, 15) == 0) cancel_job();
    }
  }

  // No worker answers any more; time passes.
  void settle() {
    for (int i = 0; i < 40 && failed_.wake_at(); ++i) {
      now_ = std::max(now_, *failed_.wake_at());
      step(FailedShares::Tick{});
    }
  }

  void check() const {
    RC_ASSERT(broken_ == "");
    RC_ASSERT(failed_.recoveries() <= all_.size());
    for (const auto& share : all_) {
      RC_ASSERT(shares_.history_of(share)->changes().size() <= kWorkflowHistoryMax);
      // READY is left in the same step.
      RC_ASSERT((cancelled_ || !shares_.is_in(share, {kFailedReadyForRetry})));
    }
  }

  void check_settled() const {
    RC_ASSERT(failed_.recoveries() == 0U);
    for (const auto& share : all_) {
      RC_ASSERT((!shares_.is_in(share, {kFailedCancelingDependents, kFailedReadyForRetry})));
      if (shares_.is_in(share, {kFailed})) RC_ASSERT(shares_.is_over(share));
    }
  }

 private:
  // A dispatcher does not take what depends on a share that is not complete.
  bool waits_for_a_recovery(const wire::ShareId& share) const {
    return std::ranges::any_of(all_, [&](const wire::ShareId& other) {
      return dependents_.depends(share.workflow, other.workflow) && shares_.is_in(other, {kFailedCancelingDependents});
    });
  }

  void step(const FailedShares::Event& event) {
    for (const auto& action : failed_.step(event, now_)) {
      if (const auto* requeue = std::get_if<FailedShares::Requeue>(&action)) check_order(requeue->shares);
    }
  }

  void check_order(const std::vector<wire::ShareId>& queued) {
    for (std::size_t i = 0; i < queued.size(); ++i) {
      if (!shares_.is_in(queued[i], {kPending})) broken_ = "queued, but not PENDING";
      for (std::size_t later = i + 1; later < queued.size(); ++later) {
        if (dependents_.depends(queued[i].workflow, queued[later].workflow)) broken_ = "queued in the wrong order";
      }
    }
  }

  void cancel_job() {
    cancelled_ = true;
    shares_.end_retries();
    for (const auto& share : all_) cancel_share(shares_, share, now_);
  }

  MonoTime now_ = MonoTime::from_ns(1);
  std::vector<wire::ShareId> all_;
  WorkflowMachine shares_;
  Dependents dependents_{{{}, {0}, {0, 1}, {}}};
  FailedShares failed_{shares_, dependents_, Prng(7)};
  std::string broken_;
  bool cancelled_ = false;
};

RC_GTEST_PROP(FailedShares, RandomEventsKeepItsRules, ()) {
  RandomRecovery run;
  for (int i = 0; i < 150; ++i) {
    run.event();
    run.check();
  }
  run.settle();
  run.check();
  run.check_settled();
}

}  // namespace
}  // namespace hyperscale::jobs

#include "jobs/states/failed_shares.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::jobs {

using enum WorkflowState;

Actions<FailedShares::Action> FailedShares::step(const Event& event, MonoTime now) {
  Actions<Action> out;
  std::visit([&](const auto& kind) { handle(kind, now, out); }, event);
  finish_recoveries(now, out);
  return out;
}

void FailedShares::handle(const WorkerLost& lost, MonoTime now, Actions<Action>& out) {
  const std::string reason = fmt::format("worker {} died", lost.worker);
  std::vector<LostShare> taken;
  for (const LostShare& each : lost.shares) {
    if (shares_.is_in(each.share, {kDispatched, kRunning})) taken.push_back(each);
    if (!shares_.is_in(each.share, {kCancelling})) continue;
    // A dead worker runs nothing, which confirms every cancel, also one of the whole job.
    shares_.move(each.share, kCancelled, reason, now);
    carry_out(cancels_.step(PendingCancels::WorkerDead{each.share}, now), now, out);
  }
  if (taken.empty()) return;
  out.emplace_back(Note{fmt::format("Worker {} failed, handling {} workflows", lost.worker, taken.size())});
  std::vector<Share> retried;
  for (const LostShare& each : taken) {
    shares_.move(each.share, kFailed, reason, now);
    if (each.retry) retried.push_back(each.share);
  }
  for (const LostShare& each : taken) {
    if (!each.retry) give_up(each.share, now, out);
  }
  if (!retried.empty()) recover(std::move(retried), now, out);
}

void FailedShares::handle(const Failed& failed, MonoTime now, Actions<Action>& out) {
  if (!shares_.is_in(failed.share, {kFailed})) return;
  if (failed.retry && !shares_.is_over(failed.share)) {
    recover({failed.share}, now, out);
  } else {
    give_up(failed.share, now, out);
  }
}

void FailedShares::handle(const CancelAnswered& answer, MonoTime now, Actions<Action>& out) {
  carry_out(cancels_.step(PendingCancels::Answered{answer.share, answer.success, answer.error}, now), now, out);
}

void FailedShares::handle(const Tick&, MonoTime now, Actions<Action>& out) {
  carry_out(cancels_.step(PendingCancels::Tick{}, now), now, out);
}

std::set<std::uint32_t> FailedShares::workflows_after(const std::vector<Share>& shares) const {
  std::set<std::uint32_t> origins;
  for (const Share& share : shares) origins.insert(share.workflow);
  std::set<std::uint32_t> after;
  for (const std::uint32_t origin : origins) {
    const auto of_one = dependents_.of(origin);
    after.insert(of_one.begin(), of_one.end());
  }
  return after;
}

std::vector<wire::ShareId> FailedShares::dependents_of(const std::vector<Share>& shares) const {
  std::vector<Share> found;
  for (const std::uint32_t workflow : workflows_after(shares)) {
    const auto of_one = shares_.shares_of(workflow);
    found.insert(found.end(), of_one.begin(), of_one.end());
  }
  return found;
}

// The state first, then the cancels (C-14): whoever sees a cancelled dependent finds its parent in the right state.
void FailedShares::recover(std::vector<Share> lost, MonoTime now, Actions<Action>& out) {
  std::vector<Share> dependents = dependents_of(lost);
  std::erase_if(dependents, [&](const Share& each) { return std::ranges::find(lost, each) != lost.end(); });
  for (const Share& share : lost) {
    shares_.move(share, kFailedCancelingDependents, fmt::format("cancelling {} dependents", dependents.size()), now);
  }
  for (const Share& share : dependents) cancel_dependent(share, now, out);
  recoveries_.push_back({.lost = std::move(lost), .dependents = std::move(dependents)});
}

void FailedShares::cancel_dependent(const Share& share, MonoTime now, Actions<Action>& out) {
  if (shares_.is_in(share, {kPending})) {
    shares_.cancel_for_parent(share, now);
    shares_.move(share, kCancelled, kParentFailed, now);
    out.emplace_back(Unqueue{share});
  } else if (shares_.is_in(share, {kDispatched, kRunning})) {
    shares_.cancel_for_parent(share, now);
    carry_out(cancels_.step(PendingCancels::Begin{share}, now), now, out);
  }
}

void FailedShares::give_up(const Share& share, MonoTime now, Actions<Action>& out) {
  shares_.give_up(share);
  Skip skipped;
  for (const Share& each : dependents_of({share})) {
    if (shares_.is_in(each, {kPending})) {
      shares_.move(each, kFailed, kDependencyFailed, now);
      shares_.give_up(each);
      skipped.shares.push_back(each);
    } else if (shares_.is_in(each, {kDispatched, kRunning})) {
      shares_.move(each, kCancelling, kDependencyFailed, now);
      carry_out(cancels_.step(PendingCancels::Begin{each}, now), now, out);
    }
  }
  if (!skipped.shares.empty()) out.emplace_back(std::move(skipped));
}

void FailedShares::carry_out(const Actions<PendingCancels::Action>& actions, MonoTime now, Actions<Action>& out) {
  for (const PendingCancels::Action& action : actions) {
    if (const auto* send = std::get_if<PendingCancels::Send>(&action)) {
      out.emplace_back(AskCancel{send->share});
    } else if (const auto* failed = std::get_if<PendingCancels::Failed>(&action)) {
      out.emplace_back(CancelFailed{failed->share, failed->error});
    } else if (const auto* ended = std::get_if<PendingCancels::Ended>(&action)) {
      if (!ended->confirmed) out.emplace_back(FenceOff{ended->share});
      const std::string_view why = ended->confirmed ? "worker confirmed cancellation" : "fenced: no confirmation";
      if (shares_.is_in(ended->share, {kCancelling})) shares_.move(ended->share, kCancelled, why, now);
    }
  }
}

void FailedShares::finish_recoveries(MonoTime now, Actions<Action>& out) {
  if (shares_.retries_ended()) recoveries_.clear();
  const auto runs = [&](const Share& each) { return is_at_worker(shares_.state_of(each)); };
  for (std::size_t i = 0; i < recoveries_.size();) {
    if (std::ranges::any_of(recoveries_[i].dependents, runs)) {
      ++i;
      continue;
    }
    const Recovery recovery = std::move(recoveries_[i]);
    recoveries_.erase(recoveries_.begin() + static_cast<std::ptrdiff_t>(i));
    requeue(recovery, now, out);
  }
}

void FailedShares::requeue(const Recovery& recovery, MonoTime now, Actions<Action>& out) {
  std::vector<Share> queued;
  for (const Share& share : recovery.lost) {
    // A share that was cancelled meanwhile stays so.
    if (!shares_.is_in(share, {kFailedCancelingDependents})) continue;
    shares_.move(share, kFailedReadyForRetry, "dependents cancelled, ready for retry", now);
    shares_.move(share, kPending, "re-queued after failure", now);
    queued.push_back(share);
  }
  Skip skipped;
  const std::set<std::uint32_t> blocked = blocked_workflows();
  for (const Share& share : recovery.dependents) {
    if (!shares_.may_reset(share)) continue;
    shares_.reset(share, "re-queued after failure", now);
    if (!blocked.contains(share.workflow)) {
      queued.push_back(share);
      continue;
    }
    shares_.move(share, kFailed, kDependencyFailed, now);
    shares_.give_up(share);
    skipped.shares.push_back(share);
  }
  if (!skipped.shares.empty()) out.emplace_back(std::move(skipped));
  if (queued.empty()) return;
  out.emplace_back(
      Note{fmt::format("Re-queued {} workflows for job {} in dependency order", queued.size(), queued.front().job)});
  out.emplace_back(Requeue{in_order(queued)});
}

std::vector<wire::ShareId> FailedShares::in_order(const std::vector<Share>& shares) const {
  std::vector<std::uint32_t> workflows;
  for (const Share& share : shares) {
    if (std::ranges::find(workflows, share.workflow) == workflows.end()) workflows.push_back(share.workflow);
  }
  std::vector<Share> ordered;
  for (const std::uint32_t workflow : dependents_.in_order(workflows)) {
    std::ranges::copy_if(shares, std::back_inserter(ordered),
                         [&](const Share& share) { return share.workflow == workflow; });
  }
  return ordered;
}

std::set<std::uint32_t> FailedShares::blocked_workflows() const {
  std::vector<Share> given_up = shares_.shares();
  std::erase_if(given_up, [&](const Share& each) { return !shares_.is_in(each, {kFailed}) || !shares_.is_over(each); });
  return workflows_after(given_up);
}

}  // namespace hyperscale::jobs

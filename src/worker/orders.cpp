// WorkerCore: orders about attempts that are here: start, change, cancel.
#include "worker/worker_core.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::worker {
namespace {

using wire::CancelMode;
using wire::Refusal;
using Stage = Attempt::Stage;

// More is a clock that went wrong.
constexpr Duration kStartInMax = 60s;

EndCause cause_of(CancelMode mode) {
  if (mode == CancelMode::kStop) return EndCause::kStop;
  return mode == CancelMode::kKill ? EndCause::kKill : EndCause::kCancel;
}

bool names(const wire::WorkflowCancelRequest& request, const wire::ShareId& share) {
  if (share.job != request.job) return false;
  return request.shares.empty() || std::ranges::find(request.shares, share) != request.shares.end();
}

}  // namespace

// The attempt that the order is for; null: `ack` refuses it, or repeats the answer of an attempt that has ended.
template <typename Order>
WorkerCore::Here* WorkerCore::heed(const Asked& asked, const Order& order, wire::OrderAck& ack, MonoTime now) {
  const wire::AttemptId& attempt = order.attempt;
  ack.attempt = attempt;
  ack.refusal = fences_.check_sender(order.boot, order.term);
  if (ack.refusal != Refusal::kNone) {
    ack.error = sender_text(ack.refusal);
    return nullptr;
  }
  guard_.acted(attempt.share.job, now);
  reports_.led_by(attempt.share.job, asked.from, attempt.fence.epoch, now);
  if (Here* here = find(attempt)) return here;
  if (const ResultShelf::Kept* kept = shelf_.find(attempt); kept != nullptr && kept->started) {
    ack.accepted = true;
    ack.last_change = kept->state.last_change;
    ack.elapsed = kept->state.elapsed;
    return nullptr;
  }
  const wire::Fence newest = fences_.newest(attempt.share);
  ack.refusal = newest > attempt.fence ? Refusal::kOldFence : Refusal::kUnknown;
  ack.error = newest > attempt.fence ? fmt::format("fence {} is known", to_string(newest)) : "it is not here";
  return nullptr;
}

wire::OrderAck WorkerCore::taken(const Here& here, MonoTime now) const {
  wire::OrderAck ack;
  ack.attempt = here.attempt.id();
  ack.accepted = true;
  ack.last_change = here.attempt.last_change();
  if (here.attempt.started()) ack.elapsed = here.attempt.elapsed(now);
  return ack;
}

void WorkerCore::question(const Asked& asked, const wire::WorkflowStart& start, MonoTime now) {
  wire::OrderAck ack;
  Here* here = heed(asked, start, ack, now);
  if (here == nullptr) return answer(asked.ticket, std::move(ack));
  Attempt& attempt = here->attempt;
  if (attempt.started()) return answer(asked.ticket, taken(*here, now));
  if (attempt.ending() || attempt.stage() != Stage::kReady) {
    ack.refusal = attempt.ending() ? Refusal::kUnknown : Refusal::kNotReady;
    ack.error = attempt.ending() ? "it is ending" : "it is not ready";
    return answer(asked.ticket, std::move(ack));
  }
  const MonoTime at = now + std::clamp(start.start_in, Duration::zero(), kStartInMax);
  attempt.start(at);
  ++version_;
  out_.emplace_back(Start{start.attempt, at, attempt.from_elapsed(), start.values, attempt.changes()});
  answer(asked.ticket, taken(*here, now));
}

void WorkerCore::question(const Asked& asked, const wire::WorkflowChange& change, MonoTime now) {
  wire::OrderAck ack;
  Here* here = heed(asked, change, ack, now);
  if (here == nullptr) return answer(asked.ticket, std::move(ack));
  const Attempt::ChangeVerdict verdict = here->attempt.change(change.change, now);
  ack = taken(*here, now);
  ack.accepted = verdict.refusal == Refusal::kNone;
  ack.refusal = verdict.refusal;
  ack.error = verdict.why;
  if (verdict.is_new && here->attempt.started()) out_.emplace_back(Change{change.attempt, change.change});
  answer(asked.ticket, std::move(ack));
}

void WorkerCore::question(const Asked& asked, const wire::WorkflowCancelRequest& request, MonoTime now) {
  fences_.block(request, now);
  fences_.raise_epoch(request.job, request.epoch);
  std::vector<wire::ShareId> meant;
  std::uint32_t newer = 0;
  for (const auto& [share, here] : attempts_) {
    if (!names(request, share)) continue;
    if (here.attempt.id().fence.epoch <= request.epoch) {
      meant.push_back(share);
    } else {
      ++newer;
    }
  }
  for (const wire::ShareId& share : meant) cancel(attempts_.at(share), request, now);
  wire::WorkflowCancelResponse response;
  response.job = request.job;
  response.success = newer == 0;
  response.cancelled_count = fences_.stopped_count(request);
  response.still_running = static_cast<std::uint32_t>(std::ranges::count_if(meant, [&](const wire::ShareId& share) {
    const auto left = attempts_.find(share);
    return left != attempts_.end() && left->second.attempt.ending();
  }));
  if (newer > 0) response.error = fmt::format("{} attempts have a higher epoch than {}", newer, request.epoch);
  answer(asked.ticket, std::move(response));
}

void WorkerCore::cancel(Here& here, const wire::WorkflowCancelRequest& request, MonoTime now) {
  const EndCause cause = cause_of(request.mode);
  if (here.successor && here.successor->dispatch.attempt.fence.epoch <= request.epoch) {
    const wire::AttemptId next = here.successor->dispatch.attempt;
    decide(refusal_of(next, Refusal::kOldFence, "it was cancelled", next.fence), here.successor->tickets);
    fences_.mark_stopped(next, cause != EndCause::kStop);
    fences_.bury(next, now);
    here.successor.reset();
  }
  cancel(here, cause, request.shares.empty(), now);
}

// The teardown of a cancelled job runs to its end, within bounds.
void WorkerCore::cancel(Here& here, EndCause cause, bool whole_job, MonoTime now) {
  Attempt& attempt = here.attempt;
  if (whole_job && cause != EndCause::kKill && attempt.id().share.part == wire::SharePart::kTeardown) {
    if (attempt.started()) attempt.end_by_itself(cause, kTeardownPatience, now);
    return;
  }
  fences_.mark_stopped(attempt.id(), cause != EndCause::kStop);
  end(here, cause, now);
}

}  // namespace hyperscale::worker

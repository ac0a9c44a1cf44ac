// WorkerCore: what attempts report while they run, what managers answer, and how attempts end.
#include "base/check.h"
#include "base/duration_text.h"
#include "worker/worker_core.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::worker {
namespace {

using wire::AttemptEvent;
using wire::Refusal;
using Stage = Attempt::Stage;

wire::WorkflowStatus status_of(const Attempt& attempt) {
  return attempt.started() ? wire::WorkflowStatus::kRunning : wire::WorkflowStatus::kAssigned;
}

}  // namespace

// --- reports
void WorkerCore::report(const Here& here, AttemptEvent event, std::string text, MonoTime now) {
  wire::WorkflowEvent out;
  out.attempt = here.attempt.id();
  out.event = event;
  out.refusal = event == AttemptEvent::kRefused ? here.refused_as : Refusal::kNone;
  out.text = std::move(text);
  out.elapsed = here.attempt.elapsed(now);
  reports_.event(std::move(out));
}

void WorkerCore::report_begun(Here& here, Duration late_by, MonoTime now) {
  if (std::exchange(here.begun, true)) return;
  wire::WorkflowEvent out;
  out.attempt = here.attempt.id();
  out.event = AttemptEvent::kStarted;
  out.elapsed = here.attempt.elapsed(now);
  out.start_late_by = late_by;
  reports_.event(std::move(out));
}

wire::ShareProgress WorkerCore::progress_of(const Here& here, wire::WorkflowProgress figures, MonoTime now) const {
  const Attempt& attempt = here.attempt;
  wire::ShareProgress out;
  out.attempt = attempt.id();
  out.elapsed = attempt.elapsed(now);
  out.last_change = attempt.last_change();
  out.figures = std::move(figures);
  out.figures.job_id = attempt.job();
  out.figures.workflow_id = to_string(attempt.id().share);
  out.figures.workflow_name = attempt.content()->workflow_name;
  out.figures.status = status_of(attempt);
  out.figures.elapsed_s = seconds(out.elapsed);
  out.figures.timestamp_s = seconds(now - MonoTime());
  out.figures.assigned_cores = attempt.cores();
  return out;
}

void WorkerCore::handle(const Begun& event, MonoTime now) {
  Here* here = find(event.attempt);
  if (here != nullptr && here->attempt.started()) report_begun(*here, event.late_by, now);
}

void WorkerCore::handle(const ExecutorLost& event, MonoTime now) {
  Here* here = find(event.attempt);
  if (here == nullptr || !here->attempt.has_processes()) return;
  here->lost_any = true;
  report(*here, AttemptEvent::kExecutorLost, event.sentence, now);
}

void WorkerCore::handle(const Said& event, MonoTime now) {
  Here* here = find(event.attempt);
  if (here != nullptr && here->attempt.stage() != Stage::kReading) report(*here, AttemptEvent::kNote, event.line, now);
}

void WorkerCore::handle(const Reading& event, MonoTime now) {
  Here* here = find(event.attempt);
  if (here == nullptr || !here->attempt.started()) return;
  wire::ShareProgress progress = progress_of(*here, event.figures, now);
  progress.fast = event.fast;
  progress.exact = event.exact;
  reports_.progress(std::move(progress));
}

// --- answers of managers
void WorkerCore::handle(const Unanswered& event, MonoTime now) {
  reports_.unanswered(event.id, now);
}

void WorkerCore::handle(const Acked& event, MonoTime now) {
  const auto heard = reports_.acked(event.id, event.answer, now);
  if (!heard) return;
  const wire::AttemptId& attempt = heard->attempt;
  const std::string& job = attempt.share.job;
  if (heard->accepted) {
    guard_.acted(job, now);
    fences_.raise_epoch(job, heard->epoch);
  } else if (heard->job_known) {
    guard_.known(job, now);
  }
  if (heard->closed) {
    reports_.close(attempt);
    shelf_.give_back();
    forget_if_over(job);
    return;
  }
  Here* here = find(attempt);
  if (here == nullptr) return;
  const std::uint64_t through = heard->exact_through.value_or(here->exact_through);
  if (std::exchange(here->exact_through, through) != through) out_.emplace_back(ExactHeld{attempt, through});
  if (heard->superseded_by) return end(*here, EndCause::kSuperseded, now);
  if (!heard->cancelled) return;
  // The order was lost (JOB-CANCEL-2).
  if (!here->attempt.ending()) note(fmt::format("{} was cancelled: poll_detected", to_string(attempt)));
  cancel(*here, EndCause::kCancel, true, now);
}

// --- time
MonoTime WorkerCore::stop_at(const Here& here) const {
  const Attempt& attempt = here.attempt;
  if (attempt.ending() || attempt.stage() == Stage::kReading) return MonoTime::max();
  return guard_.stop_at(attempt.job(), attempt.content()->stop_without_manager_after, attempt.started());
}

MonoTime WorkerCore::wake_of(const Here& here) const {
  const Attempt& attempt = here.attempt;
  return std::min({attempt.ready_until(), attempt.times_out_at(now_), attempt.kill_at(), stop_at(here)});
}

void WorkerCore::handle(const Tick&, MonoTime now) {
  std::vector<wire::AttemptId> due;
  for (const auto& [share, here] : attempts_)
    if (wake_of(here) <= now) due.push_back(here.attempt.id());
  for (const wire::AttemptId& attempt : due)
    if (Here* here = find(attempt)) look_at(*here, now);
  for (const std::string& job : reports_.jobs())
    if (over_at(job) <= now) end_job(job, now);
}

void WorkerCore::look_at(Here& here, MonoTime now) {
  Attempt& attempt = here.attempt;
  if (now >= attempt.ready_until())
    return refuse(here, Refusal::kResources, fmt::format("not ready after {}", format_duration(kPrepareMax)), now);
  if (now >= stop_at(here)) {
    report(here, AttemptEvent::kNote, "no manager has acknowledged it for too long: it is stopped", now);
    note(fmt::format("{} is stopped: it has no manager", to_string(attempt.id())));
    return end(here, EndCause::kOrphan, now);
  }
  if (now >= attempt.times_out_at(now)) return end(here, EndCause::kTimeout, now);
  give(here, attempt.order_due(now));
}

// No manager knows the job any more.
void WorkerCore::end_job(const std::string& job, MonoTime now) {
  const std::vector<wire::AttemptId> dropped = shelf_.end_job(job);
  for (const wire::AttemptId& attempt : dropped) fences_.bury(attempt, now);
  for (std::size_t refused = reports_.end_job(job); refused > 0; --refused) shelf_.give_back();
  guard_.forget(job);
  ++version_;
  note(fmt::format("job {} is over: no manager knows it; {} results are dropped", job, dropped.size()));
}

// --- ends
void WorkerCore::end(Here& here, EndCause cause, MonoTime now) {
  if (!here.attempt.ending()) ++version_;
  const Attempt::Order order = here.attempt.end(cause, now);
  give(here, order);
  if (here.attempt.has_processes()) return;
  const wire::AttemptId attempt = here.attempt.id();
  finish(attempt, Ended{.attempt = attempt, .error = {}, .body = {}, .context_updates = {}}, now);
}

void WorkerCore::give(Here& here, Attempt::Order order) {
  if (order == Attempt::Order::kStop) out_.emplace_back(Stop{here.attempt.id()});
  if (order == Attempt::Order::kKill) out_.emplace_back(Kill{here.attempt.id()});
}

void WorkerCore::refuse(Here& here, Refusal refusal, std::string why, MonoTime now) {
  here.refused_as = refusal;
  here.refused_why = std::move(why);
  end(here, EndCause::kRefused, now);
}

void WorkerCore::handle(const Ended& event, MonoTime now) {
  Here* here = find(event.attempt);
  if (here != nullptr && here->attempt.has_processes()) finish(event.attempt, event, now);
}

void WorkerCore::finish(const wire::AttemptId& attempt, const Ended& ended, MonoTime now) {
  auto node = attempts_.extract(attempt.share);
  CHECK(!node.empty());
  Here& over = node.mapped();
  if (!over.attempt.ending() && !over.attempt.started()) {
    over.refused_as = Refusal::kResources;
    over.refused_why = ended.error.empty() ? "its executors ended before the start" : ended.error;
  }
  if (over.attempt.stage() == Stage::kReading) {
    finish_unaccepted(over, now);
  } else if (over.refused_as != Refusal::kNone) {
    finish_refused(over, now);
  } else {
    keep_result(over, ended, now);
  }
  // After the report, whatever becomes of it (RES-3).
  cores_.release(to_string(attempt.share));
  ++version_;
  if (over.successor) begin(std::move(*over.successor), now);
}

void WorkerCore::finish_unaccepted(const Here& over, MonoTime now) {
  const wire::AttemptId& attempt = over.attempt.id();
  const bool is_refused = over.refused_as != Refusal::kNone;
  const Refusal refusal = is_refused ? over.refused_as : Refusal::kOldFence;
  decide(refusal_of(attempt, refusal, is_refused ? over.refused_why : "it was ended before it was accepted",
                    fences_.newest(attempt.share)),
         over.tickets);
  shelf_.give_back();
  fences_.bury(attempt, now);
}

void WorkerCore::finish_refused(Here& over, MonoTime now) {
  report(over, AttemptEvent::kRefused, over.refused_why, now);
  reports_.refuse(over.attempt.id());
  fences_.bury(over.attempt.id(), now);
}

void WorkerCore::keep_result(Here& over, const Ended& ended, MonoTime now) {
  const Attempt& attempt = over.attempt;
  wire::WorkflowFinalResult result;
  result.attempt = attempt.id();
  result.error = ended.error;
  result.end = attempt.end_as(result.error);
  result.context_updates = ended.context_updates;
  result.elapsed = attempt.elapsed(now);
  result.requests = ended.requests;
  result.partial = ended.partial || over.lost_any;
  SharedBytes body = ended.body;
  if (body.size() > one_result_bytes_max_) {
    result.end = wire::AttemptEnd::kFailed;
    result.error = fmt::format("its result has {} bytes, more than {}", body.size(), one_result_bytes_max_);
    body = {};
  } else {
    result.digest = ended.digest;
    result.bytes = body.size();
  }
  if (result.end == wire::AttemptEnd::kCompleted) report_begun(over, Duration::zero(), now);
  wire::AttemptState state = attempt.state(now);
  state.phase = wire::AttemptPhase::kFinished;
  state.cores = 0;
  state.result = result;
  shelf_.put({.state = std::move(state), .started = attempt.started(), .body = std::move(body)});
  reports_.finish(result);
}

}  // namespace hyperscale::worker

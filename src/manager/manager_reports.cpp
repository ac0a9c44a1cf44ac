// ManagerCore: what workers report: progress, events, final results; and their question whether a job was cancelled.
#include "manager/manager_core.h"
#include "plan/limits.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::manager {
namespace {

// Values that no journal could keep do not get in.
bool fits(const wire::ContextValue& value) {
  return value.source.size() <= plan::kNameBytesMax && value.key.size() <= plan::kNameBytesMax &&
         value.json.size() <= wire::kSharedValueTextBytesMax;
}

}  // namespace

std::optional<wire::NodeIdentity> ManagerCore::leader() const {
  return owns() ? std::optional(config_.self) : std::nullopt;
}

wire::ReportAck ManagerCore::report_ack(const LedJob* job, const Share* share) const {
  wire::ReportAck ack;
  ack.leader = leader();
  ack.epoch = job ? job->epoch : 0;
  if (share) ack.known = share->known_fence();
  return ack;
}

void ManagerCore::handle(const Progressed& event) {
  const wire::AttemptId& id = event.progress.attempt;
  const LedJob* job = find(id.share.job);
  Share* share = share_of(id);
  wire::ProgressAck ack;
  ack.leader = leader();
  ack.epoch = job ? job->epoch : 0;
  ack.pressure = event.pressure;
  if (share) ack.known = share->known_fence();
  ack.accepted = share && owns() && share->is_current(id.fence) && share->phase() != SharePhase::kOver &&
                 share->phase() != SharePhase::kLosing;
  if (ack.accepted) ack.exact_through = event.exact_through;
  out_.emplace_back(Reply{event.report, ack});
  if (!ack.accepted || !share->with_worker()) return;

  Attempt& attempt = share->attempt();
  const SharePhase before = share->phase();
  if (before >= SharePhase::kStarting) {
    share->running(now_);
    attempt.counted_to = std::max(attempt.counted_to, event.counted_to);
  } else {
    share->accepted(now_);
  }
  if (event.progress.sequence > attempt.sequence) {
    attempt.sequence = event.progress.sequence;
    attempt.requests = event.progress.figures.completed_count + event.progress.figures.failed_count;
  }
  if (share->phase() != before) touch(id.share.job);
}

void ManagerCore::handle(const Reported& event) {
  const wire::AttemptId& id = event.event.attempt;
  LedJob* job = job_of(id.share.job);
  Share* share = share_of(id);
  wire::ReportAck ack = report_ack(job, share);
  // While the end of the attempt is being decided, the worker reports it again later.
  ack.accepted =
      share && owns() && share->is_current(id.fence) && share->phase() != SharePhase::kOver && !share->decision_open();
  out_.emplace_back(Reply{event.report, ack});
  if (!ack.accepted || !share->with_worker() || event.event.number <= share->attempt().last_event) return;
  share->attempt().last_event = event.event.number;
  touch(job->id());
  attempt_reports(*job, *share, event.event);
}

void ManagerCore::attempt_reports(LedJob& job, Share& share, const wire::WorkflowEvent& event) {
  const std::string worker = share.attempt().worker;
  WorkflowRun& run = job.runs[share.number().workflow];
  switch (event.event) {
    case wire::AttemptEvent::kReady:
      return share.ready(now_);
    case wire::AttemptEvent::kStarted:
      if (share.phase() < SharePhase::kStarting) return;
      run.late_most = std::max(run.late_most, event.start_late_by);
      return share.running(now_);
    case wire::AttemptEvent::kRefused: {
      if (stops(job, share)) return close_share(job, share, {});
      if (event.refusal == wire::Refusal::kBadPlan) {
        fail_workflow(job, share.number().workflow, event.text);
        return close_share(job, share, event.text);
      }
      pool_.hold_off(worker, now_ + kHoldOff);
      return lose(job, share, fmt::format("worker {} refused it: {}", worker, event.text), true);
    }
    case wire::AttemptEvent::kExecutorLost:
    case wire::AttemptEvent::kNote:
      return void(out_.emplace_back(Push{job.id(), Line{fmt::format("{}: {}", worker, event.text)}}));
  }
}

// No worker could run it: it is not started, and what has been prepared of it is stopped.
void ManagerCore::fail_workflow(LedJob& job, std::uint32_t index, const std::string& why) {
  WorkflowRun& run = job.runs[index];
  run.fail(why);
  if (!run.begun()) run.stop = why;
  job.moved = true;
}

void ManagerCore::handle(const Finished& event) {
  const wire::AttemptId& id = event.result.attempt;
  LedJob* job = job_of(id.share.job);
  Share* share = share_of(id);
  wire::ReportAck ack = report_ack(job, share);
  const bool is_current = share && owns() && share->is_current(id.fence);
  ack.accepted = is_current && !share->decision_open() && share->phase() != SharePhase::kOver;
  out_.emplace_back(Reply{event.report, ack});
  if (!share || !owns() || share->decision_open()) return;
  if (!ack.accepted) return release_result(*share, id);
  if (!share->with_worker()) return;

  wire::WorkflowFinalResult result = event.result;
  if (std::erase_if(result.context_updates, [](const auto& value) { return !fits(value); }) > 0) {
    result.end = wire::AttemptEnd::kFailed;
    result.error = "a value for other workflows is too large";
  }
  share->finished(std::move(result), now_);
  // The worker has freed the cores before it reported.
  pool_.release({job->id(), share->number()});
  drop_questions(id);
  touch(job->id());
}

void ManagerCore::handle(const CancelQueried& event) {
  const wire::AttemptId& id = event.query.attempt;
  const LedJob* job = find(id.share.job);
  Share* share = share_of(id);
  wire::CancelQueryAnswer answer;
  answer.known = owns() && job && job->accepted;
  if (answer.known && share) {
    answer.current = share->known_fence();
    answer.is_cancelled = job->record.over() || share->phase() == SharePhase::kOver || stops(*job, *share) ||
                          !share->is_current(id.fence);
  }
  out_.emplace_back(Reply{event.report, answer});
}

}  // namespace hyperscale::manager

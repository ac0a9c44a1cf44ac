// ManagerCore: decisions on their way to the journal, and what its answers change.
#include "base/check.h"
#include "manager/manager_core.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::manager {
namespace {

template <typename... Kinds>
struct Overloaded : Kinds... {
  using Kinds::operator()...;
};

JobState state_of(jobs::JobEnd end) {
  switch (end) {
    case jobs::JobEnd::kCompleted:
      return JobState::kCompleted;
    case jobs::JobEnd::kPartial:
      return JobState::kPartial;
    case jobs::JobEnd::kCancelled:
      return JobState::kCancelled;
  }
  UNREACHABLE("end {}", static_cast<int>(end));
}

}  // namespace

jobs::Ticket ManagerCore::decide(LedJob& job, jobs::Record record, SharedBytes blob) {
  JobLog::Entry entry{.ticket = jobs::Ticket(++last_ticket_),
                      .op = {job.epoch, ++job.decisions},
                      .record = std::move(record),
                      .blob_bytes = std::move(blob),
                      .since = now_};
  const Submission& submission = job.submission;
  if (std::holds_alternative<jobs::JobAccepted>(entry.record)) {
    entry.op = jobs::op_of_request(submission.tenant, submission.key.empty() ? job.id() : submission.key, "accept");
    if (!submission.key.empty()) entry.key = {submission.tenant, submission.key, submission.digest};
  }
  const jobs::Ticket ticket = entry.ticket;
  tickets_.emplace(ticket, job.id());
  job.log.decide(std::move(entry));
  touch(job.id());
  return ticket;
}

void ManagerCore::flush(LedJob& job) {
  if (!owns()) return;
  while (auto request = job.log.next(now_, job.epoch)) {
    if (auto* blob = std::get_if<StoreBlob>(&*request)) {
      out_.emplace_back(std::move(*blob));
    } else {
      out_.emplace_back(Journal{std::get<jobs::Append>(std::move(*request))});
    }
  }
}

Result<std::pair<jobs::RecordedValues, SharedBytes>> ManagerCore::recorded(
    const std::vector<wire::ContextValue>& values) const {
  if (jobs::fit_record(values)) return std::pair(jobs::RecordedValues{values, {}}, SharedBytes());
  auto bytes = jobs::encode_values(values);
  if (!bytes) return fail(bytes.error());
  const wire::BlobName blob{config_.sha256(bytes->view()), bytes->size()};
  return std::pair(jobs::RecordedValues{{}, blob}, std::move(*bytes));
}

void ManagerCore::handle(const BlobStored& event) {
  LedJob* job = job_of(event.job);
  if (!job) return;
  if (!event.status)
    out_.emplace_back(Note{fmt::format("job {}: values are not stored: {}", event.job, event.status.error().context)});
  job->log.stored(event.status.has_value(), now_);
  touch(event.job);
}

void ManagerCore::handle(const Journalled& event) {
  std::visit([&](const auto& each) { journal_says(each); }, event.event);
}

LedJob* ManagerCore::writer_of(jobs::Ticket ticket) {
  const auto known = tickets_.find(ticket);
  LedJob* job = known == tickets_.end() ? nullptr : job_of(known->second);
  return job && job->log.waits_for(ticket) ? job : nullptr;
}

void ManagerCore::journal_says(const jobs::Committed& event) {
  LedJob* job = job_of(event.job);
  if (!job) return;
  const jobs::Record* decided = job->log.committed(event.op);
  if (!decided) {
    // The announcement of an earlier epoch of this manager may still come.
    const auto record = jobs::decode_record(event.event.view());
    const auto* led = record ? std::get_if<jobs::JobLed>(&*record) : nullptr;
    if (led && led->manager == config_.self.name) return;
    return abandon(*job, "another manager has decided about it");
  }
  // A copy: what is applied may decide something, which goes into the same log.
  apply(*job, jobs::Record(*decided));
  touch(event.job);
}

void ManagerCore::journal_says(const jobs::Appended& event) {
  LedJob* job = writer_of(event.ticket);
  if (!job) return;
  const JobLog::Entry entry = job->log.settle(true);
  tickets_.erase(event.ticket);
  for (Action& action : held_.release(event.ticket, [&](const Action& each) { return is_right(each); }))
    emit_released(std::move(action));
  if (job->record.over()) {
    out_.emplace_back(Push{job->id(), StateChanged{job->record.state(), job->record.reason()}});
    active_.erase(job->id());
  } else if (queue_.position_of(job->id()) > 0 && job->log.empty()) {
    active_.erase(job->id());
  }
  touch(job->id());
}

void ManagerCore::journal_says(const jobs::Refused& event) {
  if (LedJob* job = writer_of(event.ticket)) refuse(*job, event.ticket, event.error, job->id());
}

void ManagerCore::journal_says(const jobs::KeyKnown& event) {
  LedJob* job = writer_of(event.ticket);
  if (!job) return;
  if (event.same_content) return refuse(*job, event.ticket, {}, event.original);
  refuse(*job, event.ticket,
         {ErrorCode::kConflict, fmt::format("the key belongs to job {}, which has another content", event.original)},
         event.original);
}

// Perhaps it was appended: the same decision again, later.
void ManagerCore::journal_says(const jobs::Unknown& event) {
  LedJob* job = writer_of(event.ticket);
  if (job) job->log.unknown(now_);
}

// Certainly not appended. What waited for it does not happen. Where this node has ceased to lead, or leads again under
// another epoch, the decision stands and is asked again.
void ManagerCore::refuse(LedJob& job, jobs::Ticket ticket, const Error& error, const std::string& original) {
  if (!owns() || job.log.asked_epoch() != job.epoch) {
    job.log.ask_again();
    return touch(job.id());
  }
  job.log.settle(false);
  tickets_.erase(ticket);
  for (Action& action : held_.drop(ticket)) {
    if (auto* submit = std::get_if<SubmitAnswer>(&action)) {
      submit->job = original;
      submit->queued_position = queue_.position_of(original);
      if (!error.context.empty()) submit->accepted = fail(error);
      out_.push_back(std::move(action));
    } else if (auto* cancel = std::get_if<CancelAnswer>(&action)) {
      cancel->cancelled = fail(error);
      out_.push_back(std::move(action));
    }
  }
  if (job.accepted) return abandon(job, error.context);
  // The answers that waited for JobAccepted, where JobLed was refused.
  if (job.accepting && *job.accepting != ticket)
    for (Action& action : held_.drop(*job.accepting))
      if (auto* submit = std::get_if<SubmitAnswer>(&action)) {
        submit->accepted = fail(error);
        out_.push_back(std::move(action));
      }
  remove(std::string(job.id()));
}

// This node writes for the datacenter: it leads its jobs under new epochs. Attempts that run keep their fences.
void ManagerCore::journal_says(const jobs::Owns& event) {
  term_ = event.term;
  tokens_.emplace(event.term);
  for (auto& [id, job] : jobs_) {
    if (job.record.over()) continue;
    const auto epoch = tokens_->next();
    CHECK(epoch, "{} jobs use up the epochs of term {}", jobs_.size(), event.term.value());
    job.epoch = epoch->value();
    decide(job, jobs::JobLed{config_.self.name, job.epoch});
    active_.insert(id);
  }
}

void ManagerCore::journal_says(const jobs::Loses&) {
  term_.reset();
  tokens_.reset();
  std::vector<std::string> unaccepted;
  for (auto& [id, job] : jobs_)
    if (!job.accepted) unaccepted.push_back(id);
  // Perhaps another manager finds them accepted: a repetition with the same key tells.
  for (const std::string& id : unaccepted) {
    for (Action& action : held_.drop(*job_of(id)->accepting))
      if (auto* submit = std::get_if<SubmitAnswer>(&action)) {
        submit->accepted =
            fail(ErrorCode::kUnavailable, "the manager lost its leadership; submit again with the same id");
        out_.push_back(std::move(action));
      }
    abandon(*job_of(id), "leadership is lost before it was accepted");
  }
}

void ManagerCore::apply(LedJob& job, const jobs::Record& record) {
  std::visit(
      Overloaded{
          [&](const jobs::JobAccepted&) {
            job.accepted = true;
            --accepting_;
            queue_.add(job.id(), job.submission.tenant, now_);
            enter(job, JobState::kQueued);
            job.record.waits(fmt::format("{} free cores", cores_of_first_stage(job)), now_, now_ + kQueueTimeout);
          },
          [&](const jobs::Provisioned& provisioned) {
            for (const jobs::Provision& each : provisioned.shares)
              job.shares.find(each.share)->provisioned(each.fence, now_);
          },
          [&](const jobs::AttemptEnded& ended) {
            Share& share = *job.shares.find(ended.share);
            share.attempt_ended(now_);
            if (share.ended()) share_ended(job, share);
          },
          [&](const jobs::SetupDone& done) {
            WorkflowRun& run = job.runs[done.workflow];
            run.setup_done = true;
            job.shares.find({done.workflow, wire::SharePart::kSetup, 0})->counted(now_);
          },
          [&](const jobs::WorkflowMerged& record_of_run) { merged(job, record_of_run); },
          [&](const jobs::LayerSync& sync) {
            job.layers.sync(sync.version);
            job.syncing = false;
          },
          [&](const jobs::CancelRequested& cancel) {
            job.cancelled = static_cast<std::uint32_t>(
                std::ranges::count_if(job.runs, [](const auto& run) { return !run.done(); }));
            enter(job, JobState::kCancelling, cancel.reason);
            end_early(job, Ending::Kind::kCancel, cancel.reason);
          },
          [&](const jobs::JobTimedOut&) { over(job, JobState::kTimeout, job.ending->reason); },
          [&](const jobs::JobFailed& failed) { over(job, JobState::kFailed, failed.error); },
          [&](const jobs::JobCompleted& completed) { over(job, state_of(completed.end), {}); },
          // JobLed: the epoch is in use since it was decided. The others are those of gates, or changes of the load.
          [](const auto&) {},
      },
      record);
}

// Asked again at release: the world has gone on since the decision.
bool ManagerCore::is_right(const Action& action) const {
  const auto* asked = std::get_if<Ask>(&action);
  const auto* dispatch = asked ? std::get_if<wire::WorkflowDispatch>(&asked->message) : nullptr;
  if (!dispatch) return true;
  const wire::AttemptId& attempt = dispatch->attempt;
  const LedJob* job = find(attempt.share.job);
  const Share* share = job->shares.find({attempt.share.workflow, attempt.share.part, attempt.share.share});
  return owns() && share->is_current(attempt.fence) && share->phase() == SharePhase::kDispatching &&
         !share->attempt().dispatched && pool_.is_up(asked->worker, dispatch->boot) && !stops(*job, *share);
}

void ManagerCore::emit_released(Action action) {
  if (auto* asked = std::get_if<Ask>(&action)) {
    const bool is_dispatch = std::holds_alternative<wire::WorkflowDispatch>(asked->message);
    const bool is_cancel = std::holds_alternative<wire::WorkflowCancelRequest>(asked->message);
    return ask(asked->worker, std::move(asked->message),
               is_dispatch ? now_ + kDispatchPatience
               : is_cancel ? now_ + kCancelPatience
                           : MonoTime::max());
  }
  if (auto* submit = std::get_if<SubmitAnswer>(&action)) submit->queued_position = queue_.position_of(submit->job);
  if (auto* cancel = std::get_if<CancelAnswer>(&action)) cancel->cancelled = job_of(cancel->job)->cancelled;
  out_.push_back(std::move(action));
}

}  // namespace hyperscale::manager

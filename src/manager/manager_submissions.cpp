// ManagerCore: what callers of the node ask for, and how jobs end.
#include "base/check.h"
#include "base/duration_text.h"
#include "manager/manager_core.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::manager {

void ManagerCore::handle(const Submitted& event) {
  const Submission& submission = event.submission;
  const auto refuse = [&](Error error) {
    out_.emplace_back(SubmitAnswer{event.request, submission.job, fail(std::move(error))});
  };
  if (!owns())
    return refuse({ErrorCode::kUnavailable, fmt::format("{} does not lead its datacenter", config_.self.name)});
  if (const Status fits = check(submission); !fits) return refuse(fits.error());
  if (const LedJob* known = find(submission.job)) {
    if (known->submission.digest != submission.digest)
      return refuse({ErrorCode::kConflict, fmt::format("job {} was submitted with another content", submission.job)});
    if (known->accepted) return answer_submit(event.request, *known);
    return hold(*known->accepting, SubmitAnswer{event.request, submission.job, {}});
  }
  if (jobs_.size() >= kJobsMax)
    return refuse({ErrorCode::kBusy, fmt::format("capacity exceeded: {} jobs are kept", kJobsMax)});
  if (const Status room = queue_.has_room(accepting_); !room) return refuse(room.error());
  if (pool_.total() == 0) return refuse({ErrorCode::kUnavailable, "no worker is there to run the job"});
  const auto stages = stages_of(submission.plan, pool_.total());
  if (!stages) return refuse(stages.error());
  const auto epoch = tokens_->next();
  if (!epoch) return refuse({ErrorCode::kBusy, "the epochs of this term are used up"});

  LedJob& job = jobs_.try_emplace(submission.job, submission, *stages, now_).first->second;
  job.record.enter(JobState::kClassifying, now_);
  job.record.enter(JobState::kProvisioning, now_);
  job.epoch = epoch->value();
  ++accepting_;
  active_.insert(job.id());
  decide(job, jobs::JobLed{config_.self.name, job.epoch});
  job.accepting = decide(job, jobs::JobAccepted{.tenant = submission.tenant,
                                                .name = submission.plan.name,
                                                .manifest = submission.manifest,
                                                .digest = submission.digest,
                                                .key = submission.key,
                                                .datacenters = submission.datacenters,
                                                .gate_fence = submission.gate_fence,
                                                .timeout = job.timeout});
  hold(*job.accepting, SubmitAnswer{event.request, job.id(), {}});
}

void ManagerCore::answer_submit(RequestId request, const LedJob& job) {
  out_.emplace_back(SubmitAnswer{request, job.id(), {}, queue_.position_of(job.id())});
}

// Cancelling is idempotent: whoever asks gets the answer of the first one.
void ManagerCore::handle(const CancelAsked& event) {
  const auto refuse = [&](ErrorCode code, std::string why) {
    out_.emplace_back(CancelAnswer{event.request, event.job, fail(code, std::move(why))});
  };
  if (!owns())
    return refuse(ErrorCode::kUnavailable, fmt::format("{} does not lead its datacenter", config_.self.name));
  LedJob* job = job_of(event.job);
  if (!job) return refuse(ErrorCode::kNotFound, fmt::format("job {} is not known", event.job));
  if (event.gate_fence && *event.gate_fence < job->submission.gate_fence)
    return refuse(ErrorCode::kConflict, fmt::format("job {} belongs to another gate", event.job));
  if (job->cancelling) {
    if (held_.holds(*job->cancelling)) return hold(*job->cancelling, CancelAnswer{event.request, event.job, {}});
    return answer_cancel(event.request, *job);
  }
  if (job->record.over() || job->closing)
    return refuse(ErrorCode::kConflict, fmt::format("job {} has ended", event.job));
  if (!job->accepted) return refuse(ErrorCode::kUnavailable, fmt::format("job {} is not accepted yet", event.job));

  const auto cut = [](const std::string& text) { return text.substr(0, wire::kSentenceBytesMax); };
  job->cancelling = decide(*job, jobs::CancelRequested{cut(event.by), cut(event.reason)});
  hold(*job->cancelling, CancelAnswer{event.request, event.job, {}});
  if (queue_.remove(event.job)) active_.insert(event.job);
}

void ManagerCore::answer_cancel(RequestId request, const LedJob& job) {
  out_.emplace_back(CancelAnswer{request, job.id(), job.cancelled});
}

void ManagerCore::end_early(LedJob& job, Ending::Kind kind, std::string reason) {
  job.ending = Ending{kind, std::move(reason), now_};
  job.cores_wanted = 0;
  touch(job.id());
}

// The timeout counts from the first start of the job.
void ManagerCore::keep_time(LedJob& job) {
  if (!job.started() || job.ending || job.closing || job.record.over() || now_ < job.started_at + job.timeout) return;
  end_early(job, Ending::Kind::kTimeout, fmt::format("not done within {}", format_duration(job.timeout)));
}

// All of its work has ended: the last record. What a cancel or a timeout interrupted keeps the figures it has.
void ManagerCore::close(LedJob& job) {
  job.closing = true;
  job.moved = true;
  if (job.ending) {
    switch (job.ending->kind) {
      case Ending::Kind::kCancel:
        return void(decide(job, jobs::JobCompleted{jobs::JobEnd::kCancelled, {}}));
      case Ending::Kind::kTimeout:
        return void(decide(job, jobs::JobTimedOut{now_ - job.started_at}));
      case Ending::Kind::kFail:
        return void(decide(job, jobs::JobFailed{job.ending->reason}));
    }
  }
  enter(job, JobState::kCompleting);
  const auto completed = std::ranges::count_if(job.runs, &WorkflowRun::completed);
  const auto is_partial = [](const WorkflowRun& run) { return run.lost_a_share && run.has_figures; };
  if (completed == 0 && std::ranges::none_of(job.runs, is_partial)) {
    const auto first = std::ranges::find_if(job.runs, [](const WorkflowRun& run) { return !run.error.empty(); });
    CHECK(first != job.runs.end(), "no workflow of job {} has completed, and none says why", job.id());
    return void(decide(job, jobs::JobFailed{first->error.substr(0, wire::kSentenceBytesMax)}));
  }
  const bool all = completed == std::ssize(job.runs);
  decide(job, jobs::JobCompleted{all ? jobs::JobEnd::kCompleted : jobs::JobEnd::kPartial, {}});
}

// Committed: the job is terminal, and nothing of it runs.
void ManagerCore::over(LedJob& job, JobState state, std::string reason) {
  for (auto& [number, share] : job.shares) pool_.release({job.id(), number});
  enter(job, state, std::move(reason));
  const bool is_good = state == JobState::kCompleted || state == JobState::kCancelled || state == JobState::kPartial;
  kept_until_.emplace(now_ + (is_good ? kCompletedKept : kFailedKept), job.id());
}

void ManagerCore::enter(LedJob& job, JobState state, std::string reason) {
  job.record.enter(state, now_, reason);
  // The last state is pushed when its record is appended.
  if (!job.record.over()) out_.emplace_back(Push{job.id(), StateChanged{state, std::move(reason)}});
}

// Nobody asks for it any more, or it never was a job.
void ManagerCore::remove(const std::string& id) {
  out_.emplace_back(Journal{jobs::Forget{id}});
  erase(id);
}

// It goes on without this manager; its workers hear from the one that leads it.
void ManagerCore::abandon(const LedJob& job, const std::string& why) {
  out_.emplace_back(Note{fmt::format("job {} is given up here: {}", job.id(), why)});
  erase(std::string(job.id()));
}

void ManagerCore::erase(const std::string& id) {
  LedJob& job = *job_of(id);
  if (!job.accepted) --accepting_;
  for (auto& [number, share] : job.shares) {
    pool_.release({id, number});
    if (share.has_attempt()) fetches_.drop(attempt_id(job, share));
  }
  questions_.drop([&](const Question& each) { return job_of_question(each.message) == id; });
  std::erase_if(tickets_, [&](const auto& each) { return each.second == id; });
  std::erase_if(kept_until_, [&](const auto& each) { return each.second == id; });
  queue_.remove(id);
  active_.erase(id);
  touched_.erase(id);
  jobs_.erase(jobs_.find(id));
  out_.emplace_back(DropJob{id});
}

}  // namespace hyperscale::manager

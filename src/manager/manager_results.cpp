// ManagerCore: final results on their way from the workers into the result of their workflow.
#include "base/check.h"
#include "manager/manager_core.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::manager {

// A final result of steps waits to be fetched. One without a body has no figures.
void ManagerCore::collect(LedJob& job, Share& share) {
  if (share.number().part != wire::SharePart::kSteps) return;
  if (share.final_result()->bytes == 0) {
    share.counted(now_);
    return share_ended(job, share);
  }
  const wire::AttemptId id = attempt_id(job, share);
  if (fetches_.is_in_flight(id)) return;
  const Attempt& attempt = share.attempt();
  if (!pool_.is_up(attempt.worker, attempt.boot))
    return lose(job, share, fmt::format("worker {} is gone with its result", attempt.worker), true);
  if (now_ >= attempt.fetch_after && !fetches_.has(id)) fetches_.add(id);
}

void ManagerCore::pump_fetches() {
  while (owns()) {
    const auto next = fetches_.next();
    if (!next) return;
    const Share& share = *share_of(*next);
    const wire::WorkflowFinalResult& result = *share.final_result();
    out_.emplace_back(FetchResult{share.attempt().worker, *next, result.digest, result.bytes});
  }
}

void ManagerCore::handle(const ResultFetched& event) {
  Share* share = share_of(event.attempt);
  LedJob* job = job_of(event.attempt.share.job);
  if (!share || !share->is_current(event.attempt.fence) || share->phase() != SharePhase::kFinal)
    return void(fetches_.done(event.attempt));
  touch(job->id());
  if (event.status) {
    share->fetched(now_);
    return void(out_.emplace_back(MergeShare{event.attempt, false}));
  }
  fetches_.done(event.attempt);
  if (event.status.error().code == ErrorCode::kProtocol)
    return close_share(*job, *share, fmt::format("its result is damaged: {}", event.status.error().context));
  share->attempt().fetch_after = now_ + kFetchDelay;
}

void ManagerCore::handle(const ShareMerged& event) {
  fetches_.done(event.attempt);
  Share* share = share_of(event.attempt);
  if (!share) return;
  LedJob& job = *job_of(event.attempt.share.job);
  WorkflowRun& run = job.runs[event.attempt.share.workflow];
  touch(job.id());
  const bool is_final = share->is_current(event.attempt.fence) && share->phase() == SharePhase::kFetched;
  if (event.status) run.has_figures = true;
  if (!is_final) {
    CHECK(run.merges_open > 0, "an attempt of job {} was merged twice", job.id());
    --run.merges_open;
    if (!event.status) run.fail(fmt::format("figures of a lost attempt are missing: {}", event.status.error().context));
    job.moved = true;
    return;
  }
  if (!event.status)
    return close_share(job, *share, fmt::format("its result cannot be merged: {}", event.status.error().context));
  share->counted(now_);
  share_ended(job, *share);
}

void ManagerCore::handle(const ResultStored& event) {
  LedJob* job = job_of(event.job);
  if (!job) return;
  WorkflowRun& run = job->runs[event.workflow];
  if (!run.storing) return;
  run.storing = false;
  touch(event.job);
  if (event.result) {
    run.result = *event.result;
    return;
  }
  run.store_again = now_ + kStoreDelay;
  if (++run.store_failures == kStoreTriesMax)
    run.fail(fmt::format("its result could not be stored: {}", event.result.error().context));
}

// Of an attempt that counts for nothing: its worker need not keep it.
void ManagerCore::release_result(const Share& share, const wire::AttemptId& attempt) {
  const Attempt* ended = share.find_attempt(attempt.fence);
  if (!ended || !pool_.is_up(ended->worker, ended->boot)) return;
  const auto is_same = [&](const Question& each) {
    const auto* release = std::get_if<wire::ResultRelease>(&each.message);
    return release && release->attempt == attempt;
  };
  if (!questions_.any(is_same)) ask(ended->worker, wire::ResultRelease{attempt});
}

}  // namespace hyperscale::manager

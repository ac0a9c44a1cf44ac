// ManagerCore: the shares of a job, from a place to their end on a worker.
#include "base/check.h"
#include "base/duration_text.h"
#include "manager/manager_core.h"
#include "plan/segment.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::manager {
namespace {

wire::ShareId share_id(const LedJob& job, const jobs::ShareNumber& number) {
  return {job.id(), number.workflow, number.part, number.share};
}

}  // namespace

wire::AttemptId ManagerCore::attempt_id(const LedJob& job, const Share& share) const {
  return {share_id(job, share.number()), share.attempt().fence};
}

void ManagerCore::advance_shares(LedJob& job) {
  Pass pass;
  for (auto& [number, share] : job.shares)
    if (!share.ended() && !share.decision_open()) advance_share(job, share, pass);
  if (!pass.to_provision.empty()) provision(job, pass.to_provision);
  for (auto& [worker, shares] : pass.to_stop)
    ask(worker,
        wire::WorkflowCancelRequest{.job = job.id(),
                                    .shares = std::move(shares),
                                    .epoch = job.epoch,
                                    .mode = wire::CancelMode::kCancel,
                                    .requester_id = config_.self.name,
                                    .reason = job.ending ? job.ending->reason : "the workflow has failed"},
        now_ + kCancelPatience);
}

// A teardown is stopped only if it takes too long while the job has to end.
bool ManagerCore::stops(const LedJob& job, const Share& share) const {
  if (share.number().part != wire::SharePart::kTeardown) return job.stopping(share.number().workflow);
  return job.ending && now_ - std::max(job.ending->since, share.created()) >= kTeardownPatience;
}

void ManagerCore::advance_share(LedJob& job, Share& share, Pass& pass) {
  const bool stop = stops(job, share);
  switch (share.phase()) {
    case SharePhase::kUnplaced:
      if (stop) return close_share(job, share, {});
      if (now_ - share.waits_since() >= kDispatchTimeout)
        return close_share(job, share, fmt::format("no worker took it within {}", format_duration(kDispatchTimeout)));
      return place(job, share, pass);
    case SharePhase::kPlaced:
      if (stop) return close_share(job, share, {});
      if (!pool_.worker_of({job.id(), share.number()})) return share.unplace(now_), void(job.moved = true);
      if (may_provision(job, share)) pass.to_provision.push_back(&share);
      return;
    case SharePhase::kDispatching:
    case SharePhase::kPreparing:
    case SharePhase::kReady:
    case SharePhase::kStarting:
    case SharePhase::kRunning: {
      const Attempt& attempt = share.attempt();
      if (!pool_.is_up(attempt.worker, attempt.boot))
        return lose(job, share, fmt::format("worker {} is gone", attempt.worker), true);
      if (stop) return stop_share(job, share, pass);
      // What a former leadership of this node held is gone. What this one holds is still in the log.
      if (share.phase() == SharePhase::kDispatching && !attempt.dispatched && job.log.empty())
        return ask(attempt.worker, dispatch_of(job, share), now_ + kDispatchPatience);
      if (share.phase() == SharePhase::kPreparing && now_ - share.since() >= kReadyPatience)
        return lose(job, share,
                    fmt::format("worker {} was not ready within {}", attempt.worker, format_duration(kReadyPatience)),
                    true);
      if (share.phase() == SharePhase::kReady && share.number().part != wire::SharePart::kSteps)
        start_share(job, share);
      return;
    }
    case SharePhase::kFinal:
      return collect(job, share);
    case SharePhase::kProvisioning:
    case SharePhase::kFetched:
    case SharePhase::kLosing:
    case SharePhase::kCounted:
    case SharePhase::kOver:
      return;
  }
}

// The steps wait for the setup of their workflow, which has one of their cores.
bool ManagerCore::may_provision(const LedJob& job, const Share& share) const {
  const RunPhase phase = job.runs[share.number().workflow].phase;
  if (share.number().part == wire::SharePart::kSteps)
    return phase == RunPhase::kPreparing || phase == RunPhase::kReady || phase == RunPhase::kRunning;
  return true;
}

// One share again, on one worker: its content has been fixed by its first dispatch.
void ManagerCore::place(LedJob& job, Share& share, Pass& pass) {
  if (!pass.rooms) pass.rooms = pool_.rooms(now_);
  std::vector<Room> rooms = *pass.rooms;
  std::erase_if(rooms, [&](const Room& room) { return share.excluded().contains(room.worker); });
  const auto cores = static_cast<std::uint32_t>(share.cores().size());
  for (Room& room : rooms) {
    // Cores that the job has there already count as free for it.
    const std::uint32_t missing = pool_.missing(room.worker, job.id(), share.cores());
    room.free = missing <= room.free ? std::max(room.free, cores) : 0;
  }
  const auto worker = choose_worker(rooms, cores, entropy_);
  if (!worker)
    return job.record.waits(fmt::format("a worker with {} free cores for workflow {}", cores,
                                        job.workflow(share.number().workflow).plan.name),
                            now_, share.waits_since() + kDispatchTimeout);
  job.record.goes_on();
  pool_.reserve(*worker, {job.id(), share.number()}, share.cores());
  std::ranges::find(*pass.rooms, *worker, &Room::worker)->free = pool_.free(*worker);
  share.place(*worker, now_);
  job.moved = true;
}

// Dispatches are held until the journal has their fences.
void ManagerCore::provision(LedJob& job, const std::vector<Share*>& shares) {
  for (std::size_t from = 0; from < shares.size(); from += jobs::kProvisionsPerRecordMax) {
    jobs::Provisioned record;
    std::vector<Ask> dispatches;
    for (std::size_t i = from; i < std::min(shares.size(), from + jobs::kProvisionsPerRecordMax); ++i) {
      Share& share = *shares[i];
      const auto boot = pool_.boot_of(share.worker());
      CHECK(boot, "share {} is placed at {}, which is not up", share.number().share, share.worker());
      const Attempt& attempt = share.propose(*boot, job.epoch, now_);
      share.set_digest(config_.sha256(config_.encode_content(content_of(job, share)).view()));
      record.shares.push_back({share.number(), attempt.worker, attempt.boot, attempt.fence, share.digest()});
      dispatches.push_back({{}, attempt.worker, dispatch_of(job, share)});
    }
    const auto ticket = decide(job, std::move(record));
    for (Ask& each : dispatches) hold(ticket, std::move(each));
  }
}

// Without term and content, which send() adds.
wire::WorkflowDispatch ManagerCore::dispatch_of(const LedJob& job, const Share& share) const {
  const Attempt& attempt = share.attempt();
  return {.attempt = attempt_id(job, share),
          .boot = attempt.boot,
          .term = {},
          .digest = share.digest(),
          .content_bytes = 0,
          .content = {},
          .from_elapsed = attempt.from_elapsed,
          .changes = job.runs[share.number().workflow].changes};
}

wire::DispatchContent ManagerCore::content_of(const LedJob& job, const Share& share) const {
  const jobs::ShareNumber& number = share.number();
  const Submission& submission = job.submission;
  const plan::Workflow& workflow = job.workflow(number.workflow);
  const WorkflowContent& content = submission.workflows[number.workflow];
  const bool is_steps = number.part == wire::SharePart::kSteps;
  const auto slots = is_steps ? static_cast<std::uint32_t>(share.cores().size()) : 1;
  const std::uint32_t slot_total = is_steps ? job.runs[number.workflow].slots : 1;
  std::uint32_t vus = is_steps ? 0 : 1;
  if (is_steps) {
    const auto segments = plan::segments_of(workflow.plan.load.vus, slot_total);
    for (std::uint32_t slot = share.first_slot(); slot < share.first_slot() + slots; ++slot)
      vus += segments[slot].vu_count;
  }
  return {.share = share_id(job, number),
          .workflow_name = workflow.plan.name,
          .workflow = content.manifest,
          .blobs = content.blobs,
          .vus = vus,
          .cores = slots,
          .first_slot = is_steps ? share.first_slot() : 0,
          .slots = slots,
          .slot_total = slot_total,
          .datacenter_index = submission.datacenter_index,
          .datacenter_count = submission.datacenter_count,
          .split = submission.split,
          .context_version = job.layers.layer(),
          .context = job.context.for_workflow(submission.plan, number.workflow),
          .timeout = job.timeout,
          .stop_without_manager_after = submission.stop_without_manager_after};
}

void ManagerCore::start_share(LedJob& job, Share& share) {
  WorkflowRun& run = job.runs[share.number().workflow];
  const bool is_steps = share.number().part == wire::SharePart::kSteps;
  share.starting(now_);
  Attempt& attempt = share.attempt();
  attempt.start_at = is_steps ? now_ + kStartLead : now_;
  for (Loss& loss : run.losses)
    if (loss.share == share.number() && loss.again && loss.again_at == Duration::zero())
      loss.again_at = attempt.start_at - run.started;
  job.moved = true;
  ask(attempt.worker,
      wire::WorkflowStart{.attempt = attempt_id(job, share),
                          .boot = attempt.boot,
                          .term = {},
                          .start_in = {},
                          .values = run.setup_values},
      now_ + kDispatchPatience);
}

// An attempt that was accepted ends with a final result; one that was not ends with the answer to the cancel.
void ManagerCore::stop_share(LedJob& job, Share& share, Pass& pass) {
  Attempt& attempt = share.attempt();
  if (!attempt.dispatched) return close_share(job, share, {});
  if (attempt.cancel_known && share.phase() == SharePhase::kDispatching) return close_share(job, share, {});
  if (attempt.cancel_since && now_ - *attempt.cancel_since >= kCancelPatience) {
    std::string why = fmt::format("worker {} did not confirm its end", attempt.worker);
    out_.emplace_back(Push{job.id(), Line{why}});
    if (attempt.started && attempt.counted_to > attempt.from_elapsed) {  // what it has reported stays
      ++job.runs[share.number().workflow].merges_open;
      out_.emplace_back(MergeShare{attempt_id(job, share), true});
    }
    return close_share(job, share, std::move(why));
  }
  if (attempt.cancel_asked) return;
  attempt.cancel_asked = true;
  if (!attempt.cancel_since) attempt.cancel_since = now_;
  pass.to_stop[attempt.worker].push_back(share_id(job, share.number()));
}

// The attempt ends in the journal, before the share goes anywhere else. Until then a final result of it has to wait.
void ManagerCore::lose(LedJob& job, Share& share, std::string why, bool blames) {
  const jobs::ShareNumber number = share.number();
  const Attempt& attempt = share.attempt();
  const wire::AttemptId id = attempt_id(job, share);
  WorkflowRun& run = job.runs[number.workflow];
  const plan::Load& load = job.workflow(number.workflow).plan.load;
  LossDecision decision = decide_loss({.part = number.part,
                                       .bounded_by_count = load.iterations > 0,
                                       .started = attempt.started,
                                       .from_elapsed = attempt.from_elapsed,
                                       .counted_to = attempt.counted_to,
                                       .attempts = share.losses() + (blames ? 1 : 0)},
                                      job.submission.on_worker_loss);
  if (stops(job, share)) decision.again = false;
  const bool counts = decision.counted_to > attempt.from_elapsed;
  const bool may_still_run = attempt.dispatched && pool_.is_up(attempt.worker, attempt.boot) && blames;
  why.resize(std::min(why.size(), wire::kSentenceBytesMax));

  pool_.release({job.id(), number});
  fetches_.drop(id);
  drop_questions(id);
  const auto ticket = decide(job, jobs::AttemptEnded{.share = number,
                                                     .fence = attempt.fence,
                                                     .why = why,
                                                     .excluded = blames ? attempt.worker : std::string(),
                                                     .counted_to = decision.counted_to});
  if (counts) {
    ++run.merges_open;
    hold(ticket, MergeShare{id, true});
  } else if (attempt.started && number.part == wire::SharePart::kSteps) {
    hold(ticket, DropFigures{id});
  }
  if (may_still_run)
    hold(ticket, Ask{{},
                     attempt.worker,
                     wire::WorkflowCancelRequest{.job = job.id(),
                                                 .shares = {id.share},
                                                 .epoch = job.epoch,
                                                 .mode = wire::CancelMode::kCancel,
                                                 .requester_id = config_.self.name,
                                                 .reason = why}});
  if (attempt.started && number.part == wire::SharePart::kSteps) {
    const Loss loss{.share = number,
                    .worker = attempt.worker,
                    .why = why,
                    .again = decision.again,
                    .lost_at = run.begun() ? std::max(now_ - run.started, Duration::zero()) : Duration::zero(),
                    .counted_to = decision.counted_to,
                    .again_from = decision.from_elapsed,
                    .discarded = counts ? 0 : attempt.requests};
    run.losses.push_back(loss);
    hold(ticket, Push{job.id(), loss});
  }
  share.propose_end(decision, blames, std::move(why), now_);
  job.moved = true;
}

void ManagerCore::close_share(LedJob& job, Share& share, std::string error) {
  job.record.goes_on();
  pool_.release({job.id(), share.number()});
  if (share.has_attempt()) {
    fetches_.drop(attempt_id(job, share));
    drop_questions(attempt_id(job, share));
  }
  share.close(std::move(error), now_);
  share_ended(job, share);
}

// A share has ended: what its workflow has to know.
void ManagerCore::share_ended(LedJob& job, Share& share) {
  const jobs::ShareNumber& number = share.number();
  job.moved = true;
  if (number.part != wire::SharePart::kSteps || job.stopping(number.workflow)) return;
  WorkflowRun& run = job.runs[number.workflow];
  if (share.phase() == SharePhase::kOver) run.lost_a_share = true;
  if (share.phase() == SharePhase::kOver)
    return run.fail(
        fmt::format("share {}: {}", number.share, share.error().empty() ? "it was stopped" : share.error()));
  const wire::WorkflowFinalResult& result = *share.final_result();
  const std::string& worker = share.attempt().worker;
  if (result.end == wire::AttemptEnd::kFailed)
    return run.fail(fmt::format("share {} on worker {}: {}", number.share, worker, result.error));
  if (result.end == wire::AttemptEnd::kCancelled)
    return run.fail(fmt::format("share {} was stopped by worker {}", number.share, worker));
  if (result.partial) run.fail(fmt::format("share {} on worker {} lost an executor", number.share, worker));
}

}  // namespace hyperscale::manager

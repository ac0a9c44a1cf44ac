// ManagerCore: one workflow of a stage, from its setup to its teardown.
#include "base/check.h"
#include "manager/manager_core.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::manager {
namespace {

using wire::SharePart;

bool succeeded(const Share& share) {
  if (share.phase() != SharePhase::kCounted) return false;
  const wire::WorkflowFinalResult& result = *share.final_result();
  return result.end == wire::AttemptEnd::kCompleted || result.end == wire::AttemptEnd::kStopped;
}

bool all_ended(const std::vector<Share*>& shares) {
  return std::ranges::all_of(shares, &Share::ended);
}

}  // namespace

void ManagerCore::enter(LedJob& job, WorkflowRun& run, RunPhase phase) {
  run.phase = phase;
  job.moved = true;
}

void ManagerCore::not_run(LedJob& job, std::uint32_t index, std::string why) {
  WorkflowRun& run = job.runs[index];
  run.end = jobs::WorkflowEnd::kNotRun;
  run.error = std::move(why);
  enter(job, run, RunPhase::kDone);
  out_.emplace_back(Push{job.id(), WorkflowOver{index, run.end, run.error, {}}});
}

void ManagerCore::advance_run(LedJob& job, std::uint32_t index) {
  switch (job.runs[index].phase) {
    case RunPhase::kSetup:
      return run_setup(job, index);
    case RunPhase::kPreparing:
    case RunPhase::kReady:
      return prepare(job, index);
    case RunPhase::kRunning:
      return run_steps(job, index);
    case RunPhase::kStoring:
      return store(job, index);
    case RunPhase::kTeardown:
      return run_teardown(job, index);
    case RunPhase::kWaiting:
    case RunPhase::kMerging:
    case RunPhase::kDone:
      return;
  }
}

// The setup runs once. Its values are journalled before anything of the workflow starts: a later leader could not get
// them again.
void ManagerCore::run_setup(LedJob& job, std::uint32_t index) {
  WorkflowRun& run = job.runs[index];
  Share& share = *job.shares.find({index, SharePart::kSetup, 0});
  if (share.phase() == SharePhase::kFinal && !run.setup_deciding) {
    const wire::WorkflowFinalResult& result = *share.final_result();
    auto values = recorded(result.context_updates);
    if (result.end == wire::AttemptEnd::kCompleted && values) {
      run.setup_deciding = true;
      run.setup_values = result.context_updates;
      const auto ticket = decide(job, jobs::SetupDone{index, std::move(values->first)}, std::move(values->second));
      return hold(ticket, Ask{{}, share.attempt().worker, wire::ResultRelease{attempt_id(job, share)}});
    }
    run.fail(fmt::format("its setup failed: {}", values ? result.error : values.error().context));
    close_share(job, share, {});
  }
  if (!share.ended()) return;
  if (run.setup_done && !job.stopping(index)) return enter(job, run, RunPhase::kPreparing);
  if (!job.stopping(index)) {
    run.fail(fmt::format("its setup did not run: {}", share.error()));
    run.stop = run.error;
  }
  if (all_ended(job.shares.of(index, SharePart::kSteps))) enter(job, run, RunPhase::kStoring);
}

void ManagerCore::prepare(LedJob& job, std::uint32_t index) {
  WorkflowRun& run = job.runs[index];
  const std::vector<Share*> shares = job.shares.of(index, SharePart::kSteps);
  const auto has_ended = [](const Share* share) { return share->ended(); };
  if (!job.stopping(index) && std::ranges::any_of(shares, has_ended)) {
    run.fail("a share ended before the start");
    run.stop = run.error;
    job.moved = true;
  }
  if (job.stopping(index)) {
    if (all_ended(shares)) enter(job, run, RunPhase::kStoring);
    return;
  }
  const bool ready = std::ranges::all_of(shares, [](const Share* s) { return s->phase() == SharePhase::kReady; });
  if (ready != (run.phase == RunPhase::kReady)) return enter(job, run, ready ? RunPhase::kReady : RunPhase::kPreparing);
  if (ready && run.start_due && now_ >= *run.start_due) start(job, index);
}

// All of its shares begin at one moment, a little ahead, so that the order reaches them before.
void ManagerCore::start(LedJob& job, std::uint32_t index) {
  WorkflowRun& run = job.runs[index];
  run.started = now_ + kStartLead;
  for (Share* share : job.shares.of(index, SharePart::kSteps)) start_share(job, *share);
  enter(job, run, RunPhase::kRunning);
  out_.emplace_back(Push{job.id(), WorkflowStarted{index, kStartLead}});
}

void ManagerCore::run_steps(LedJob& job, std::uint32_t index) {
  WorkflowRun& run = job.runs[index];
  const std::vector<Share*> shares = job.shares.of(index, SharePart::kSteps);
  for (Share* share : shares)
    if (share->phase() == SharePhase::kReady && !stops(job, *share)) start_share(job, *share);
  if (all_ended(shares) && run.merges_open == 0) enter(job, run, RunPhase::kStoring);
}

// What it has measured is stored, then journalled, and only then released by the workers.
void ManagerCore::store(LedJob& job, std::uint32_t index) {
  WorkflowRun& run = job.runs[index];
  if (run.storing || now_ < run.store_again) return;
  const std::vector<Share*> shares = job.shares.of(index, SharePart::kSteps);
  const auto has_succeeded = [](const Share* share) { return succeeded(*share); };
  if (run.error.empty() && run.begun() && std::ranges::all_of(shares, has_succeeded)) {
    run.end = jobs::WorkflowEnd::kCompleted;
  } else if (job.ending && job.ending->kind == Ending::Kind::kCancel) {
    run.end = jobs::WorkflowEnd::kCancelled;
  } else {
    run.end = jobs::WorkflowEnd::kFailed;
    run.fail(job.ending ? job.ending->reason : "it did not run to its end");
  }
  if (run.has_figures && !run.result && run.store_failures < kStoreTriesMax) {
    run.storing = true;
    return void(out_.emplace_back(StoreResult{.job = job.id(),
                                              .workflow = index,
                                              .end = run.end,
                                              .error = run.error,
                                              .partial = run.end != jobs::WorkflowEnd::kCompleted,
                                              .start_late_most = run.late_most,
                                              .losses = run.losses}));
  }
  jobs::WorkflowMerged record{
      .workflow = index, .end = run.end, .error = run.error, .result = run.result, .shares = {}};
  record.error.resize(std::min(record.error.size(), wire::kSentenceBytesMax));
  for (const Share* share : shares)
    if (share->phase() == SharePhase::kCounted) record.shares.push_back({share->number(), share->attempt().fence});
  enter(job, run, RunPhase::kMerging);
  const auto ticket = decide(job, std::move(record));
  std::vector<Share*> finished = shares;
  if (!run.setup_done) std::ranges::copy(job.shares.of(index, SharePart::kSetup), std::back_inserter(finished));
  for (const Share* share : finished)
    if (share->final_result())
      hold(ticket, Ask{{}, share->attempt().worker, wire::ResultRelease{attempt_id(job, *share)}});
  hold(ticket, Push{job.id(), WorkflowOver{index, run.end, run.error, run.result}});
}

// Committed. The teardown cleans up after a setup or after the load, also when the job is cancelled.
void ManagerCore::merged(LedJob& job, const jobs::WorkflowMerged& record) {
  WorkflowRun& run = job.runs[record.workflow];
  const plan::Workflow& workflow = job.workflow(record.workflow);
  const std::vector<Share*> shares = job.shares.of(record.workflow, SharePart::kSteps);
  if (record.end == jobs::WorkflowEnd::kCompleted) {
    std::vector<std::vector<wire::ContextValue>> values;
    values.reserve(shares.size());
    for (const Share* share : shares) values.push_back(share->final_result()->context_updates);
    job.context.set(workflow.plan.name, values);
  }
  if (!workflow.plan.script.has_teardown || (!run.begun() && !run.setup_done)) return enter(job, run, RunPhase::kDone);
  job.shares.add(Share({record.workflow, SharePart::kTeardown, 0}, 0, {shares.front()->cores().front()}, now_));
  enter(job, run, RunPhase::kTeardown);
}

// A teardown that fails is reported; the workflow has ended as it has ended.
void ManagerCore::run_teardown(LedJob& job, std::uint32_t index) {
  Share& share = *job.shares.find({index, SharePart::kTeardown, 0});
  const auto say = [&](const std::string& why) {
    const std::string& name = job.workflow(index).plan.name;
    out_.emplace_back(Push{job.id(), Line{fmt::format("the teardown of workflow {} failed: {}", name, why)}});
  };
  if (share.phase() == SharePhase::kFinal) {
    const wire::WorkflowFinalResult& result = *share.final_result();
    if (result.end != wire::AttemptEnd::kCompleted) say(result.error.empty() ? "it was stopped" : result.error);
    ask(share.attempt().worker, wire::ResultRelease{attempt_id(job, share)});
    share.counted(now_);
  }
  if (!share.ended()) return;
  if (share.phase() == SharePhase::kOver) say(share.error().empty() ? "it was stopped" : share.error());
  enter(job, job.runs[index], RunPhase::kDone);
}

}  // namespace hyperscale::manager

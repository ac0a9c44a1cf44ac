#include "sim_worker.h"

#include <algorithm>
#include <utility>

namespace hyperscale::manager {
namespace {

constexpr Duration kReportInterval = 1s;
constexpr Duration kCancelTakes = 150ms;
constexpr Duration kActionTakes = 400ms;  // of a setup or teardown

}  // namespace

std::uint32_t SimWorker::used() const {
  std::uint32_t used = 0;
  for (const auto& [share, attempt] : attempts_)
    if (attempt.phase != Phase::kFinished) used += attempt.cores;
  return std::min(used, cores_);
}

SimWorker::Attempt* SimWorker::find(const wire::AttemptId& id) {
  const auto found = attempts_.find(id.share);
  return found == attempts_.end() || found->second.dispatch.attempt.fence != id.fence ? nullptr : &found->second;
}

void SimWorker::later(Duration delay, const wire::AttemptId& id, std::function<void(Attempt&)> what) {
  host_.after(delay, [this, id, boot = boot_, what = std::move(what)] {
    Attempt* attempt = boot == boot_ ? find(id) : nullptr;
    if (attempt) what(*attempt);
  });
}

wire::JobAnswer SimWorker::answer(const wire::JobQuestion& question) {
  if (const auto* dispatch = std::get_if<wire::WorkflowDispatch>(&question)) return take(*dispatch);
  if (const auto* start = std::get_if<wire::WorkflowStart>(&question)) return take(*start);
  if (const auto* cancel = std::get_if<wire::WorkflowCancelRequest>(&question)) return take(*cancel);
  return take(std::get<wire::ResultRelease>(question));
}

wire::WorkflowDispatchAck SimWorker::take(const wire::WorkflowDispatch& dispatch) {
  const wire::AttemptId& id = dispatch.attempt;
  wire::WorkflowDispatchAck ack;
  ack.attempt = id;
  ack.boot = boot_;
  const auto refuse = [&](wire::Refusal refusal, wire::Fence known = {}) {
    ack.refusal = refusal;
    ack.error = "no";
    ack.known = known;
    return ack;
  };
  if (dispatch.boot != boot_) return refuse(wire::Refusal::kOtherBoot);
  if (const auto known = attempts_.find(id.share); known != attempts_.end()) {
    const wire::Fence fence = known->second.dispatch.attempt.fence;
    if (id.fence < fence) return refuse(wire::Refusal::kOldFence, fence);
    if (id.fence == fence)
      return dispatch.digest == known->second.dispatch.digest ? known->second.ack
                                                              : refuse(wire::Refusal::kOtherContent);
    drop(id.share);
  }
  if (const auto dead = tombstones_.find(id.share); dead != tombstones_.end() && id.fence <= dead->second)
    return refuse(wire::Refusal::kOldFence, dead->second);
  if (refuses != wire::Refusal::kNone) return refuse(refuses);

  Attempt attempt;
  attempt.dispatch = dispatch;
  attempt.cores = std::stoul(std::string(dispatch.content.text()));
  // Shares of one job may share cores; nobody else's are touched.
  std::uint32_t others = 0;
  for (const auto& [share, other] : attempts_)
    if (share.job != id.share.job && other.phase != Phase::kFinished) others += other.cores;
  if (others + attempt.cores > cores_) return refuse(wire::Refusal::kNoCores);
  ack.accepted = true;
  ack.cores_assigned = attempt.cores;
  attempt.ack = ack;
  attempts_.emplace(id.share, std::move(attempt));
  ++version_;
  if (!never_ready)
    later(host_.ready_after(), id, [this](Attempt& each) {
      if (each.phase != Phase::kPreparing) return;
      each.phase = Phase::kReady;
      send_event(each, wire::AttemptEvent::kReady);
    });
  later(5s, id, [this](Attempt& each) { poll(each); });
  return ack;
}

wire::OrderAck SimWorker::take(const wire::WorkflowStart& start) {
  wire::OrderAck ack;
  ack.attempt = start.attempt;
  Attempt* attempt = start.boot == boot_ ? find(start.attempt) : nullptr;
  if (!attempt || attempt->phase == Phase::kPreparing) {
    ack.refusal = attempt ? wire::Refusal::kNotReady : wire::Refusal::kUnknown;
    ack.error = "no";
    return ack;
  }
  ack.accepted = true;
  if (attempt->phase != Phase::kReady) return ack;
  attempt->phase = Phase::kStarted;
  later(start.start_in, start.attempt, [this](Attempt& each) {
    if (each.phase != Phase::kStarted) return;
    const wire::AttemptId& id = each.dispatch.attempt;
    each.execution = Execution{id, name_, each.dispatch.from_elapsed, host_.now()};
    send_event(each, wire::AttemptEvent::kStarted);
    const Duration planned = host_.workflow(id.share).plan.load.duration;
    const bool is_steps = id.share.part == wire::SharePart::kSteps;
    const Duration left = is_steps ? std::max(planned - each.dispatch.from_elapsed, Duration::zero()) : kActionTakes;
    if (is_steps) later(kReportInterval, id, [this](Attempt& one) { progress(one); });
    later(left, id, [this](Attempt& one) {
      if (one.phase != Phase::kStarted) return;
      const auto wish = ends.find(one.dispatch.attempt.share);
      finish(one, wish == ends.end() ? wire::AttemptEnd::kCompleted : wish->second);
    });
  });
  return ack;
}

wire::WorkflowCancelResponse SimWorker::take(const wire::WorkflowCancelRequest& request) {
  wire::WorkflowCancelResponse response;
  response.job = request.job;
  response.success = true;
  if (ignores_cancel) return response;
  for (const wire::ShareId& share : request.shares) {
    const auto known = attempts_.find(share);
    if (known == attempts_.end()) {
      wire::Fence& tombstone = tombstones_[share];
      tombstone = std::max(tombstone, wire::Fence{request.epoch, 0});
      continue;
    }
    if (known->second.dispatch.attempt.fence.epoch > request.epoch) continue;
    ++response.cancelled_count;
    stop(known->second);
  }
  return response;
}

wire::Released SimWorker::take(const wire::ResultRelease& release) {
  Attempt* attempt = find(release.attempt);
  if (!attempt || attempt->phase != Phase::kFinished) return {};
  drop(release.attempt.share);
  return {.was_here = true};
}

void SimWorker::stop(Attempt& attempt) {
  if (attempt.phase == Phase::kFinished) return;
  later(kCancelTakes, attempt.dispatch.attempt, [this](Attempt& each) {
    if (each.phase != Phase::kFinished) finish(each, wire::AttemptEnd::kCancelled);
  });
}

void SimWorker::finish(Attempt& attempt, wire::AttemptEnd end) {
  attempt.phase = Phase::kFinished;
  ++version_;
  const wire::AttemptId& id = attempt.dispatch.attempt;
  wire::WorkflowFinalResult result;
  result.attempt = id;
  result.end = end;
  if (end == wire::AttemptEnd::kFailed) result.error = "it threw";
  if (attempt.execution) {
    attempt.execution->end = host_.now();
    host_.executed(*std::exchange(attempt.execution, std::nullopt));
    if (id.share.part == wire::SharePart::kSteps) result.bytes = 1000;
    if (end == wire::AttemptEnd::kCompleted) {
      const std::string source = id.share.part == wire::SharePart::kSetup ? "" : host_.workflow(id.share).plan.name;
      result.context_updates = {{source, "key", "\"value\"", 1}};
      for (const char* key : {"large", "larger"})
        if (value_bytes > 0) result.context_updates.push_back({source, key, std::string(value_bytes, 'x'), 1});
    }
  }
  attempt.result = std::move(result);
  send_result(attempt);
}

void SimWorker::drop(const wire::ShareId& share) {
  auto found = attempts_.extract(share);
  Attempt& attempt = found.mapped();
  if (attempt.execution) {
    attempt.execution->end = host_.now();
    host_.executed(*attempt.execution);
  }
  wire::Fence& tombstone = tombstones_[share];
  tombstone = std::max(tombstone, attempt.dispatch.attempt.fence);
  ++version_;
}

void SimWorker::restart(std::uint64_t boot) {
  for (auto& [share, attempt] : attempts_)
    if (attempt.execution) {
      attempt.execution->end = host_.now();
      host_.executed(*attempt.execution);
    }
  attempts_.clear();
  tombstones_.clear();
  boot_ = wire::BootId(boot);
  version_ = 1;
}

void SimWorker::send_event(Attempt& attempt, wire::AttemptEvent event) {
  wire::WorkflowEvent message;
  message.attempt = attempt.dispatch.attempt;
  message.number = ++attempt.events;
  message.event = event;
  host_.report(name_, message);
}

void SimWorker::progress(Attempt& attempt) {
  if (attempt.phase != Phase::kStarted) return;
  wire::ShareProgress message;
  message.attempt = attempt.dispatch.attempt;
  message.sequence = ++attempt.sequence;
  message.elapsed = attempt.dispatch.from_elapsed + (host_.now() - attempt.execution->begin);
  message.figures.completed_count = 100 * attempt.sequence;
  host_.report(name_, message);
  later(kReportInterval, message.attempt, [this](Attempt& each) { progress(each); });
}

void SimWorker::poll(Attempt& attempt) {
  if (attempt.phase == Phase::kFinished) return;
  host_.report(name_, wire::CancelQuery{attempt.dispatch.attempt});
  later(5s, attempt.dispatch.attempt, [this](Attempt& each) { poll(each); });
}

void SimWorker::send_result(Attempt& attempt) {
  if (attempt.result_known) return;
  host_.report(name_, *attempt.result);
  later(kReportInterval, attempt.dispatch.attempt, [this](Attempt& each) { send_result(each); });
}

void SimWorker::acknowledged(const Report& report, const wire::ProgressAck& ack) {
  const wire::AttemptId& id = std::get<wire::ShareProgress>(report).attempt;
  if (find(id) && !ack.accepted && ack.known > id.fence) drop(id.share);
}

void SimWorker::acknowledged(const Report& report, const wire::ReportAck& ack) {
  const auto* event = std::get_if<wire::WorkflowEvent>(&report);
  const wire::AttemptId& id = event ? event->attempt : std::get<wire::WorkflowFinalResult>(report).attempt;
  Attempt* attempt = find(id);
  if (!attempt) return;
  if (!ack.accepted && ack.known > id.fence) return drop(id.share);
  if (!event) attempt->result_known = ack.accepted;
  if (event && !ack.accepted)
    later(kReportInterval, id, [this, again = *event](Attempt&) { host_.report(name_, again); });
}

void SimWorker::acknowledged(const Report& report, const wire::CancelQueryAnswer& answer) {
  Attempt* attempt = find(std::get<wire::CancelQuery>(report).attempt);
  if (attempt && answer.known && answer.is_cancelled && !ignores_cancel) stop(*attempt);
}

}  // namespace hyperscale::manager

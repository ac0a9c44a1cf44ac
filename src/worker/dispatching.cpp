// WorkerCore: from a dispatch to an attempt that is ready.
#include "base/check.h"
#include "worker/worker_core.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::worker {
namespace {

using wire::Refusal;
using Stage = Attempt::Stage;

std::string cores_text(std::uint32_t wanted, const CoreMap& cores) {
  if (wanted > cores.total()) return fmt::format("it needs {} cores, this worker has {}", wanted, cores.total());
  return fmt::format("it needs {} cores, {} are free", wanted, cores.available());
}

}  // namespace

wire::WorkflowDispatchAck WorkerCore::refusal_of(const wire::AttemptId& attempt, Refusal refusal, std::string why,
                                                 wire::Fence known) const {
  wire::WorkflowDispatchAck ack;
  ack.attempt = attempt;
  ack.refusal = refusal;
  ack.error = std::move(why);
  ack.known = known;
  ack.boot = fences_.boot();
  return ack;
}

std::string WorkerCore::sender_text(Refusal refusal) const {
  if (refusal == Refusal::kOtherBoot) return "it was meant for an earlier process of this worker";
  return fmt::format("term {} is known", fences_.term().value());
}

void WorkerCore::question(const Asked& asked, const wire::WorkflowDispatch& dispatch, MonoTime now) {
  const wire::AttemptId& attempt = dispatch.attempt;
  if (const Refusal refusal = fences_.check_sender(dispatch.boot, dispatch.term); refusal != Refusal::kNone) {
    const wire::Fence known = fences_.newest(attempt.share);
    return answer(asked.ticket, refusal_of(attempt, refusal, sender_text(refusal), known));
  }
  const FenceTable::Verdict verdict = fences_.judge(attempt, dispatch.digest);
  if (verdict.refusal == Refusal::kOtherContent)
    note(fmt::format("{} was dispatched twice, with different contents", to_string(attempt)));
  if (verdict.refusal != Refusal::kNone)
    return answer(asked.ticket, refusal_of(attempt, verdict.refusal, verdict.why, verdict.known));
  if (verdict.repeated)
    return verdict.answer != nullptr ? answer(asked.ticket, *verdict.answer) : wait_for_answer(attempt, asked.ticket);
  if (!fences_.admit(attempt, dispatch.digest, now)) {
    return answer(asked.ticket,
                  refusal_of(attempt, Refusal::kResources, "too many shares in the last hour", verdict.known));
  }
  ++version_;
  guard_.acted(attempt.share.job, now);
  reports_.led_by(attempt.share.job, asked.from, attempt.fence.epoch, now);
  Waiting waiting{dispatch, asked.from, {asked.ticket}};
  const auto older = attempts_.find(attempt.share);
  if (older != attempts_.end()) return supersede(older->second, std::move(waiting), now);
  begin(std::move(waiting), now);
}

void WorkerCore::wait_for_answer(const wire::AttemptId& attempt, Ticket ticket) {
  Here& here = attempts_.at(attempt.share);
  const bool is_next = here.successor && here.successor->dispatch.attempt == attempt;
  CHECK(is_next || here.attempt.id() == attempt, "{} has no answer", to_string(attempt));
  std::vector<Ticket>& tickets = is_next ? here.successor->tickets : here.tickets;
  if (tickets.size() < kTicketsWaitingMax) return tickets.push_back(ticket);
  answer(ticket, refusal_of(attempt, Refusal::kNotReady, "it is not decided yet: ask again", attempt.fence));
}

// "Fence before capacity": the older attempt ends even if the newer one is then refused.
void WorkerCore::supersede(Here& older, Waiting waiting, MonoTime now) {
  if (older.successor) {
    const wire::AttemptId& skipped = older.successor->dispatch.attempt;
    const wire::Fence newest = waiting.dispatch.attempt.fence;
    decide(refusal_of(skipped, Refusal::kOldFence, fmt::format("fence {} is known", to_string(newest)), newest),
           older.successor->tickets);
  }
  older.successor = std::move(waiting);
  end(older, EndCause::kSuperseded, now);
}

void WorkerCore::begin(Waiting waiting, MonoTime now) {
  const wire::WorkflowDispatch& dispatch = waiting.dispatch;
  const wire::AttemptId& attempt = dispatch.attempt;
  const bool has_place = !draining_ && shelf_.reserve();
  if (!has_place) {
    const Refusal refusal = draining_ ? Refusal::kDraining : Refusal::kShelfFull;
    std::string why = draining_ ? "it drains" : fmt::format("{} results are kept here", shelf_.kept().size());
    decide(refusal_of(attempt, refusal, std::move(why), attempt.fence), waiting.tickets);
    return fences_.bury(attempt, now);
  }
  Here here{.attempt = Attempt(dispatch, waiting.from, now), .tickets = std::move(waiting.tickets)};
  CHECK(attempts_.emplace(attempt.share, std::move(here)).second, "a second attempt at {}", to_string(attempt.share));
  out_.emplace_back(ReadContent{attempt, dispatch.digest, dispatch.content_bytes, dispatch.content, waiting.from});
}

// The answer of this fence, now and for every repeat.
void WorkerCore::decide(const wire::WorkflowDispatchAck& ack, const std::vector<Ticket>& tickets) {
  fences_.store(ack);
  for (const Ticket ticket : tickets) answer(ticket, ack);
}

void WorkerCore::handle(const ContentRead& event, MonoTime now) {
  Here* here = find(event.attempt);
  if (here == nullptr || here->attempt.stage() != Stage::kReading) return;
  CHECK(event.content != nullptr);
  const wire::DispatchContent& content = *event.content;
  const wire::Fence fence = event.attempt.fence;
  if (content.share != event.attempt.share || content.cores == 0)
    return refuse(*here, Refusal::kBadPlan, "its content belongs to another share, or asks for no core", now);
  if (!fences_.admit_layer(event.attempt, content.context_version)) {
    return refuse(*here, Refusal::kOldFence,
                  fmt::format("context version {} is older than that of a dispatch before", content.context_version),
                  now);
  }
  const auto cores = cores_.assign(to_string(event.attempt.share), content.cores);
  if (!cores) return refuse(*here, Refusal::kNoCores, cores_text(content.cores, cores_), now);
  here->attempt.accept(event.content, *cores);
  wire::WorkflowDispatchAck ack = refusal_of(event.attempt, Refusal::kNone, {}, fence);
  ack.accepted = true;
  ack.cores_assigned = content.cores;
  decide(ack, std::exchange(here->tickets, {}));
  ++version_;
  guard_.open(event.attempt.share.job, now);
  reports_.open(progress_of(*here, {}, now), here->attempt.from(), now);
  if (!content.blobs.empty()) return void(out_.emplace_back(FetchBlobs{event.attempt, content.blobs}));
  here->attempt.advance(Stage::kResolving);
  out_.emplace_back(Resolve{event.attempt});
}

void WorkerCore::handle(const BlobsReady& event, MonoTime) {
  Here* here = find(event.attempt);
  if (here == nullptr || here->attempt.stage() != Stage::kFetching) return;
  here->attempt.advance(Stage::kResolving);
  out_.emplace_back(Resolve{event.attempt});
}

void WorkerCore::handle(const Resolved& event, MonoTime) {
  Here* here = find(event.attempt);
  if (here == nullptr || here->attempt.stage() != Stage::kResolving) return;
  here->attempt.advance(Stage::kLaunching);
  out_.emplace_back(Prepare{event.attempt, here->attempt.content(), here->attempt.cores()});
}

void WorkerCore::handle(const Prepared& event, MonoTime now) {
  Here* here = find(event.attempt);
  if (here == nullptr || here->attempt.stage() != Stage::kLaunching || here->attempt.ending()) return;
  here->attempt.advance(Stage::kReady);
  ++version_;
  report(*here, wire::AttemptEvent::kReady, {}, now);
}

void WorkerCore::handle(const Refused& event, MonoTime now) {
  Here* here = find(event.attempt);
  if (here == nullptr || here->attempt.ending() || here->attempt.started()) return;
  refuse(*here, event.refusal, event.why, now);
}

}  // namespace hyperscale::worker

// Reports of a worker to the leader of a job, and their answers.
#include "wire/jobs/job_fields.h"
#include "wire/jobs/message_fields.h"
#include "wire/progress_fields.h"
#include "wire/proto_fields.h"

#include <cstdint>
#include <utility>

namespace hyperscale::wire::job_fields {

Status check(const ShareProgress& message) {
  FieldCheck fields;
  fields.attempt(message.attempt);
  fields.part("figures", check_workflow(message.figures));
  fields.time("elapsed", message.elapsed);
  fields.size("fast", message.fast.size(), kFastMomentBytesMax);
  fields.size("exact", message.exact.size(), kExactDeltaBytesMax);
  return fields.result();
}

void write(const ShareProgress& from, proto::ShareProgress& to) {
  write_attempt(from.attempt, *to.mutable_attempt());
  write_workflow(from.figures, *to.mutable_figures());
  to.set_sequence(from.sequence);
  to.set_elapsed_ns(written(from.elapsed));
  to.set_last_change(from.last_change);
  to.set_fast(written(from.fast));
  to.set_exact(written(from.exact));
}

Result<ShareProgress> read(proto::ShareProgress& from) {
  ShareProgress message;
  FieldRead fields;
  fields.attempt(from.has_attempt(), from.attempt(), message.attempt);
  fields.required("figures", from.has_figures());
  fields.part("figures", read_workflow(from.figures()), message.figures);
  message.sequence = from.sequence();
  fields.time("elapsed", from.elapsed_ns(), message.elapsed);
  message.last_change = from.last_change();
  message.fast = taken(*from.mutable_fast());
  message.exact = taken(*from.mutable_exact());
  return fields.result(std::move(message));
}

Status check(const ProgressAck& message) {
  FieldCheck fields;
  fields.identity("leader", message.leader);
  fields.choice("pressure", message.pressure, Pressure::kNone, Pressure::kReject);
  fields.time("delay", message.delay);
  return fields.result();
}

void write(const ProgressAck& from, proto::ProgressAck& to) {
  to.set_accepted(from.accepted);
  if (from.known != Fence{}) write_fence(from.known, *to.mutable_known());
  if (from.leader) write_identity(*from.leader, *to.mutable_leader());
  to.set_epoch(from.epoch);
  to.set_exact_through(from.exact_through);
  to.set_pressure(static_cast<std::uint32_t>(from.pressure));
  to.set_delay_ns(written(from.delay));
}

Result<ProgressAck> read(proto::ProgressAck& from) {
  ProgressAck message;
  FieldRead fields;
  fields.required("accepted", from.has_accepted());
  message.accepted = from.accepted();
  message.known = read_fence(from.known());
  if (from.has_leader()) fields.identity("leader", from.leader(), message.leader);
  message.epoch = from.epoch();
  message.exact_through = from.exact_through();
  fields.choice("pressure", from.pressure(), Pressure::kNone, Pressure::kReject, message.pressure);
  fields.time("delay", from.delay_ns(), message.delay);
  return fields.result(std::move(message));
}

Status check(const WorkflowEvent& message) {
  FieldCheck fields;
  fields.attempt(message.attempt);
  fields.range("number", message.number, 1, UINT32_MAX);
  fields.choice("event", message.event, AttemptEvent::kReady, AttemptEvent::kNote);
  fields.refusal(message.event != AttemptEvent::kRefused, message.refusal);
  fields.time("elapsed", message.elapsed);
  fields.time("start_late_by", message.start_late_by);
  return fields.result();
}

void write(const WorkflowEvent& from, proto::WorkflowEvent& to) {
  write_attempt(from.attempt, *to.mutable_attempt());
  to.set_number(from.number);
  to.set_event(static_cast<std::uint32_t>(from.event));
  to.set_refusal(static_cast<std::uint32_t>(from.refusal));
  to.set_text(fitted_sentence(from.text));
  to.set_elapsed_ns(written(from.elapsed));
  to.set_start_late_by_ns(written(from.start_late_by));
}

Result<WorkflowEvent> read(proto::WorkflowEvent& from) {
  WorkflowEvent message;
  FieldRead fields;
  fields.attempt(from.has_attempt(), from.attempt(), message.attempt);
  message.number = from.number();
  fields.choice("event", from.event(), AttemptEvent::kReady, AttemptEvent::kNote, message.event);
  fields.refusal(from.refusal(), message.refusal);
  fields.sentence("text", *from.mutable_text(), message.text);
  fields.time("elapsed", from.elapsed_ns(), message.elapsed);
  fields.time("start_late_by", from.start_late_by_ns(), message.start_late_by);
  return fields.result(std::move(message));
}

Status check(const WorkflowFinalResult& message) {
  FieldCheck fields;
  fields.attempt(message.attempt);
  fields.choice("end", message.end, AttemptEnd::kCompleted, AttemptEnd::kStopped);
  // RES-1: failed exactly if there is an error.
  fields.that(message.end == AttemptEnd::kFailed || message.error.empty(), "error is given for an end without failure");
  fields.that(message.end != AttemptEnd::kFailed || !message.error.empty(), "error is missing");
  fields.range("body_bytes", message.bytes, 0, kResultBytesMax);
  fields.values("context_updates", message.context_updates, kSharedValuesBytesMax);
  fields.time("elapsed", message.elapsed);
  return fields.result();
}

void write(const WorkflowFinalResult& from, proto::WorkflowFinalResult& to) {
  write_attempt(from.attempt, *to.mutable_attempt());
  write_without_attempt(from, to);
}

void write_without_attempt(const WorkflowFinalResult& from, proto::WorkflowFinalResult& to) {
  to.set_end(static_cast<std::uint32_t>(from.end));
  to.set_error(fitted_sentence(from.error));
  to.set_digest(written(from.digest));
  to.set_body_bytes(from.bytes);
  for (const ContextValue& value : from.context_updates) write_value(value, *to.add_context_updates());
  to.set_elapsed_ns(written(from.elapsed));
  to.set_requests(from.requests);
  to.set_partial(from.partial);
}

Result<WorkflowFinalResult> read(proto::WorkflowFinalResult& from) {
  AttemptId attempt;
  FieldRead fields;
  fields.attempt(from.has_attempt(), from.attempt(), attempt);
  const Status ok = fields.status();
  if (!ok) return fail(ok.error());
  return read_of(attempt, from);
}

Result<WorkflowFinalResult> read_of(const AttemptId& attempt, proto::WorkflowFinalResult& from) {
  WorkflowFinalResult message;
  FieldRead fields;
  message.attempt = attempt;
  fields.choice("end", from.end(), AttemptEnd::kCompleted, AttemptEnd::kStopped, message.end);
  fields.sentence("error", *from.mutable_error(), message.error);
  fields.digest("digest", from.digest(), message.digest);
  message.bytes = from.body_bytes();
  fields.values("context_updates", *from.mutable_context_updates(), message.context_updates);
  fields.time("elapsed", from.elapsed_ns(), message.elapsed);
  message.requests = from.requests();
  message.partial = from.partial();
  return fields.result(std::move(message));
}

Status check(const ReportAck& message) {
  FieldCheck fields;
  fields.identity("leader", message.leader);
  return fields.result();
}

void write(const ReportAck& from, proto::ReportAck& to) {
  to.set_accepted(from.accepted);
  if (from.known != Fence{}) write_fence(from.known, *to.mutable_known());
  if (from.leader) write_identity(*from.leader, *to.mutable_leader());
  to.set_epoch(from.epoch);
}

Result<ReportAck> read(proto::ReportAck& from) {
  ReportAck message;
  FieldRead fields;
  fields.required("accepted", from.has_accepted());
  message.accepted = from.accepted();
  message.known = read_fence(from.known());
  if (from.has_leader()) fields.identity("leader", from.leader(), message.leader);
  message.epoch = from.epoch();
  return fields.result(std::move(message));
}

Status check(const CancelQuery& message) {
  FieldCheck fields;
  fields.attempt(message.attempt);
  return fields.result();
}

void write(const CancelQuery& from, proto::CancelQuery& to) {
  write_attempt(from.attempt, *to.mutable_attempt());
}

Result<CancelQuery> read(proto::CancelQuery& from) {
  CancelQuery message;
  FieldRead fields;
  fields.attempt(from.has_attempt(), from.attempt(), message.attempt);
  return fields.result(std::move(message));
}

Status check(const CancelQueryAnswer&) {
  return {};
}

void write(const CancelQueryAnswer& from, proto::CancelQueryAnswer& to) {
  to.set_known(from.known);
  to.set_is_cancelled(from.is_cancelled);
  if (from.current != Fence{}) write_fence(from.current, *to.mutable_current());
}

Result<CancelQueryAnswer> read(proto::CancelQueryAnswer& from) {
  FieldRead fields;
  fields.required("known", from.has_known());
  return fields.result(CancelQueryAnswer{
      .known = from.known(), .is_cancelled = from.is_cancelled(), .current = read_fence(from.current())});
}

}  // namespace hyperscale::wire::job_fields

// Orders of a leader to a worker, and their answers.
#include "wire/jobs/job_fields.h"
#include "wire/jobs/message_fields.h"

#include <utility>

namespace hyperscale::wire::job_fields {

Status check(const WorkflowDispatch& message) {
  FieldCheck fields;
  fields.attempt(message.attempt);
  fields.range("content_bytes", message.content_bytes, 1, kContentBytesMax);
  fields.size("content", message.content.size(), kContentInlineBytesMax);
  fields.that(message.content.empty() || message.content.size() == message.content_bytes,
              "content_bytes is not the size of the content");
  fields.time("from_elapsed", message.from_elapsed);
  fields.changes("changes", message.changes);
  return fields.result();
}

void write(const WorkflowDispatch& from, proto::WorkflowDispatch& to) {
  write_attempt(from.attempt, *to.mutable_attempt());
  to.set_boot(from.boot.value());
  to.set_term(from.term.value());
  to.set_digest(written(from.digest));
  to.set_content_bytes(from.content_bytes);
  to.set_content(written(from.content));
  to.set_from_elapsed_ns(written(from.from_elapsed));
  for (const NumberedChange& change : from.changes) write_change(change, *to.add_changes());
}

Result<WorkflowDispatch> read(proto::WorkflowDispatch& from) {
  WorkflowDispatch message;
  FieldRead fields;
  fields.attempt(from.has_attempt(), from.attempt(), message.attempt);
  fields.required("boot", from.has_boot());
  message.boot = BootId(from.boot());
  fields.required("term", from.has_term());
  message.term = Term(from.term());
  fields.digest("digest", from.digest(), message.digest);
  message.content_bytes = from.content_bytes();
  message.content = taken(*from.mutable_content());
  fields.time("from_elapsed", from.from_elapsed_ns(), message.from_elapsed);
  fields.changes("changes", *from.mutable_changes(), message.changes);
  return fields.result(std::move(message));
}

Status check(const WorkflowDispatchAck& message) {
  FieldCheck fields;
  fields.attempt(message.attempt);
  fields.refusal(message.accepted, message.refusal);
  fields.range("cores_assigned", message.cores_assigned, 0, kCoresPerWorkerMax);
  return fields.result();
}

void write(const WorkflowDispatchAck& from, proto::WorkflowDispatchAck& to) {
  write_attempt(from.attempt, *to.mutable_attempt());
  to.set_accepted(from.accepted);
  to.set_refusal(static_cast<std::uint32_t>(from.refusal));
  to.set_error(fitted_sentence(from.error));
  to.set_cores_assigned(from.cores_assigned);
  if (from.known != Fence{}) write_fence(from.known, *to.mutable_known());
  to.set_boot(from.boot.value());
}

Result<WorkflowDispatchAck> read(proto::WorkflowDispatchAck& from) {
  WorkflowDispatchAck message;
  FieldRead fields;
  fields.attempt(from.has_attempt(), from.attempt(), message.attempt);
  fields.required("accepted", from.has_accepted());
  message.accepted = from.accepted();
  fields.refusal(from.refusal(), message.refusal);
  fields.sentence("error", *from.mutable_error(), message.error);
  message.cores_assigned = from.cores_assigned();
  message.known = read_fence(from.known());
  message.boot = BootId(from.boot());
  return fields.result(std::move(message));
}

Status check(const WorkflowStart& message) {
  FieldCheck fields;
  fields.attempt(message.attempt);
  fields.time("start_in", message.start_in);
  fields.values("values", message.values, kSharedValuesBytesMax);
  return fields.result();
}

void write(const WorkflowStart& from, proto::WorkflowStart& to) {
  write_attempt(from.attempt, *to.mutable_attempt());
  to.set_boot(from.boot.value());
  to.set_term(from.term.value());
  to.set_start_in_ns(written(from.start_in));
  for (const ContextValue& value : from.values) write_value(value, *to.add_values());
}

Result<WorkflowStart> read(proto::WorkflowStart& from) {
  WorkflowStart message;
  FieldRead fields;
  fields.attempt(from.has_attempt(), from.attempt(), message.attempt);
  fields.required("boot", from.has_boot());
  message.boot = BootId(from.boot());
  fields.required("term", from.has_term());
  message.term = Term(from.term());
  fields.time("start_in", from.start_in_ns(), message.start_in);
  fields.values("values", *from.mutable_values(), message.values);
  return fields.result(std::move(message));
}

Status check(const WorkflowChange& message) {
  FieldCheck fields;
  fields.attempt(message.attempt);
  fields.change("change", message.change);
  return fields.result();
}

void write(const WorkflowChange& from, proto::WorkflowChange& to) {
  write_attempt(from.attempt, *to.mutable_attempt());
  to.set_boot(from.boot.value());
  to.set_term(from.term.value());
  write_change(from.change, *to.mutable_change());
}

Result<WorkflowChange> read(proto::WorkflowChange& from) {
  WorkflowChange message;
  FieldRead fields;
  fields.attempt(from.has_attempt(), from.attempt(), message.attempt);
  fields.required("boot", from.has_boot());
  message.boot = BootId(from.boot());
  fields.required("term", from.has_term());
  message.term = Term(from.term());
  fields.required("change", from.has_change());
  fields.change("change", *from.mutable_change(), message.change);
  return fields.result(std::move(message));
}

Status check(const OrderAck& message) {
  FieldCheck fields;
  fields.attempt(message.attempt);
  fields.refusal(message.accepted, message.refusal);
  if (message.elapsed) fields.time("elapsed", *message.elapsed);
  return fields.result();
}

void write(const OrderAck& from, proto::OrderAck& to) {
  write_attempt(from.attempt, *to.mutable_attempt());
  to.set_accepted(from.accepted);
  to.set_refusal(static_cast<std::uint32_t>(from.refusal));
  to.set_error(fitted_sentence(from.error));
  to.set_last_change(from.last_change);
  if (from.elapsed) to.set_elapsed_ns(written(*from.elapsed));
}

Result<OrderAck> read(proto::OrderAck& from) {
  OrderAck message;
  FieldRead fields;
  fields.attempt(from.has_attempt(), from.attempt(), message.attempt);
  fields.required("accepted", from.has_accepted());
  message.accepted = from.accepted();
  fields.refusal(from.refusal(), message.refusal);
  fields.sentence("error", *from.mutable_error(), message.error);
  message.last_change = from.last_change();
  if (from.has_elapsed_ns()) fields.time("elapsed", from.elapsed_ns(), message.elapsed.emplace());
  return fields.result(std::move(message));
}

Status check(const WorkflowCancelRequest& message) {
  FieldCheck fields;
  fields.job("job", message.job);
  fields.count("shares", message.shares.size(), kSharesPerCancelMax);
  for (const ShareId& share : message.shares) {
    fields.share("shares", share);
    fields.that(share.job == message.job, "shares.job is another job");
  }
  fields.choice("mode", message.mode, CancelMode::kCancel, CancelMode::kKill);
  fields.visible("requester_id", message.requester_id, kRequesterIdBytesMax);
  return fields.result();
}

void write(const WorkflowCancelRequest& from, proto::WorkflowCancelRequest& to) {
  to.set_job(from.job);
  for (const ShareId& share : from.shares) write_share(share, *to.add_shares());
  to.set_epoch(from.epoch);
  to.set_mode(static_cast<std::uint32_t>(from.mode));
  to.set_requester_id(from.requester_id);
  to.set_reason(fitted_sentence(from.reason));
}

Result<WorkflowCancelRequest> read(proto::WorkflowCancelRequest& from) {
  WorkflowCancelRequest message;
  FieldRead fields;
  message.job = from.job();
  fields.list("shares", *from.mutable_shares(), kSharesPerCancelMax, message.shares,
              [&](const proto::Share& each, ShareId& share) { fields.share("shares", true, each, share); });
  message.epoch = from.epoch();
  fields.choice("mode", from.mode(), CancelMode::kCancel, CancelMode::kKill, message.mode);
  message.requester_id = from.requester_id();
  fields.sentence("reason", *from.mutable_reason(), message.reason);
  return fields.result(std::move(message));
}

Status check(const WorkflowCancelResponse& message) {
  FieldCheck fields;
  fields.job("job", message.job);
  return fields.result();
}

void write(const WorkflowCancelResponse& from, proto::WorkflowCancelResponse& to) {
  to.set_job(from.job);
  to.set_success(from.success);
  to.set_cancelled_count(from.cancelled_count);
  to.set_still_running(from.still_running);
  to.set_error(fitted_sentence(from.error));
}

Result<WorkflowCancelResponse> read(proto::WorkflowCancelResponse& from) {
  WorkflowCancelResponse message;
  FieldRead fields;
  message.job = from.job();
  fields.required("success", from.has_success());
  message.success = from.success();
  message.cancelled_count = from.cancelled_count();
  message.still_running = from.still_running();
  fields.sentence("error", *from.mutable_error(), message.error);
  return fields.result(std::move(message));
}

}  // namespace hyperscale::wire::job_fields

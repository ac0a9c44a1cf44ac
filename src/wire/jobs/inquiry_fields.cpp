// What a leader asks a worker for, parts of bytes, and the introduction of a worker.
#include "wire/jobs/job_fields.h"
#include "wire/jobs/message_fields.h"
#include "wire/proto_fields.h"

#include <algorithm>
#include <utility>

namespace hyperscale::wire::job_fields {
namespace {

Status check_attempt_state(const AttemptState& state) {
  FieldCheck fields;
  fields.attempt(state.attempt);
  fields.choice("phase", state.phase, AttemptPhase::kPreparing, AttemptPhase::kFinished);
  fields.time("elapsed", state.elapsed);
  fields.range("cores", state.cores, 0, kCoresPerWorkerMax);
  if (!state.result) return fields.result();
  fields.that(state.phase == AttemptPhase::kFinished, "result is given before the end");
  fields.that(state.result->attempt == state.attempt, "result.attempt is another attempt");
  fields.part("result", check(*state.result));
  return fields.result();
}

void write_attempt_state(const AttemptState& from, proto::AttemptState& to) {
  write_attempt(from.attempt, *to.mutable_attempt());
  to.set_phase(static_cast<std::uint32_t>(from.phase));
  to.set_digest(written(from.digest));
  to.set_elapsed_ns(written(from.elapsed));
  to.set_cores(from.cores);
  to.set_last_change(from.last_change);
  if (from.result) write_without_attempt(*from.result, *to.mutable_result());
}

Result<AttemptState> read_attempt_state(proto::AttemptState& from) {
  AttemptState state;
  FieldRead fields;
  fields.attempt(from.has_attempt(), from.attempt(), state.attempt);
  fields.choice("phase", from.phase(), AttemptPhase::kPreparing, AttemptPhase::kFinished, state.phase);
  fields.digest("digest", from.digest(), state.digest);
  fields.time("elapsed", from.elapsed_ns(), state.elapsed);
  state.cores = from.cores();
  state.last_change = from.last_change();
  if (from.has_result()) fields.part("result", read_of(state.attempt, *from.mutable_result()), state.result.emplace());
  return fields.result(std::move(state));
}

Result<Tombstone> read_tombstone(const proto::Tombstone& from) {
  Tombstone tombstone;
  FieldRead fields;
  fields.attempt(from.has_attempt(), from.attempt(), tombstone.attempt);
  tombstone.cancelled_by_request = from.cancelled_by_request();
  return fields.result(std::move(tombstone));
}

}  // namespace

Status check(const WorkerQuery& message) {
  FieldCheck fields;
  if (!message.job.empty()) fields.job("job", message.job);
  return fields.result();
}

void write(const WorkerQuery& from, proto::WorkerQuery& to) {
  to.set_term(from.term.value());
  to.set_job(from.job);
}

Result<WorkerQuery> read(proto::WorkerQuery& from) {
  FieldRead fields;
  fields.required("term", from.has_term());
  return fields.result(WorkerQuery{.term = Term(from.term()), .job = from.job()});
}

Status check(const WorkerAnswer& message) {
  FieldCheck fields;
  fields.cores(message.total_cores, message.available_cores);
  fields.count("attempts", message.attempts.size(), kAttemptsPerWorkerMax);
  for (const AttemptState& each : message.attempts) fields.part("attempts", check_attempt_state(each));
  fields.count("tombstones", message.tombstones.size(), kTombstonesPerAnswerMax);
  for (const Tombstone& each : message.tombstones) {
    FieldCheck of_tombstone;
    of_tombstone.attempt(each.attempt);
    fields.part("tombstones", of_tombstone.result());
  }
  return fields.result();
}

void write(const WorkerAnswer& from, proto::WorkerAnswer& to) {
  to.set_boot(from.boot.value());
  to.set_term(from.term.value());
  to.set_total_cores(from.total_cores);
  to.set_available_cores(from.available_cores);
  to.set_version(from.version);
  to.set_draining(from.draining);
  for (const AttemptState& each : from.attempts) write_attempt_state(each, *to.add_attempts());
  for (const Tombstone& each : from.tombstones) {
    proto::Tombstone& into = *to.add_tombstones();
    write_attempt(each.attempt, *into.mutable_attempt());
    into.set_cancelled_by_request(each.cancelled_by_request);
  }
}

Result<WorkerAnswer> read(proto::WorkerAnswer& from) {
  WorkerAnswer message;
  FieldRead fields;
  fields.required("boot", from.has_boot());
  message.boot = BootId(from.boot());
  fields.required("term", from.has_term());
  message.term = Term(from.term());
  message.total_cores = from.total_cores();
  message.available_cores = from.available_cores();
  fields.required("version", from.has_version());
  message.version = from.version();
  message.draining = from.draining();
  fields.list("attempts", *from.mutable_attempts(), kAttemptsPerWorkerMax, message.attempts,
              [&](proto::AttemptState& each, AttemptState& state) {
                fields.part("attempts", read_attempt_state(each), state);
              });
  fields.list("tombstones", *from.mutable_tombstones(), kTombstonesPerAnswerMax, message.tombstones,
              [&](const proto::Tombstone& each, Tombstone& tombstone) {
                fields.part("tombstones", read_tombstone(each), tombstone);
              });
  return fields.result(std::move(message));
}

Status check(const ResultFetch& message) {
  FieldCheck fields;
  fields.attempt(message.attempt);
  fields.range("offset", message.offset, 0, kResultBytesMax);
  return fields.result();
}

void write(const ResultFetch& from, proto::ResultFetch& to) {
  write_attempt(from.attempt, *to.mutable_attempt());
  to.set_offset(from.offset);
}

Result<ResultFetch> read(proto::ResultFetch& from) {
  ResultFetch message;
  FieldRead fields;
  fields.attempt(from.has_attempt(), from.attempt(), message.attempt);
  message.offset = from.offset();
  return fields.result(std::move(message));
}

Status check(const ResultRelease& message) {
  FieldCheck fields;
  fields.attempt(message.attempt);
  return fields.result();
}

void write(const ResultRelease& from, proto::ResultRelease& to) {
  write_attempt(from.attempt, *to.mutable_attempt());
}

Result<ResultRelease> read(proto::ResultRelease& from) {
  ResultRelease message;
  FieldRead fields;
  fields.attempt(from.has_attempt(), from.attempt(), message.attempt);
  return fields.result(std::move(message));
}

Status check(const BlobWant& message) {
  FieldCheck fields;
  fields.range("offset", message.offset, 0, message.is_content ? kContentBytesMax : kBlobBytesMax);
  return fields.result();
}

void write(const BlobWant& from, proto::BlobWant& to) {
  to.set_sha256(written(from.sha256));
  to.set_offset(from.offset);
  to.set_is_content(from.is_content);
}

Result<BlobWant> read(proto::BlobWant& from) {
  BlobWant message;
  FieldRead fields;
  fields.digest("sha256", from.sha256(), message.sha256);
  message.offset = from.offset();
  message.is_content = from.is_content();
  return fields.result(message);
}

Status check(const BytesPart& message) {
  FieldCheck fields;
  fields.range("total", message.total, 0, kResultBytesMax);
  fields.range("offset", message.offset, 0, message.total);
  fields.size("bytes", message.bytes.size(), kBlobPartBytes);
  fields.that(message.bytes.size() <= message.total - std::min(message.offset, message.total),
              "bytes go beyond the total");
  return fields.result();
}

void write(const BytesPart& from, proto::BytesPart& to) {
  to.set_known(from.known);
  to.set_offset(from.offset);
  to.set_total(from.total);
  to.set_bytes(written(from.bytes));
  to.set_error(fitted_sentence(from.error));
}

Result<BytesPart> read(proto::BytesPart& from) {
  BytesPart message;
  FieldRead fields;
  fields.required("known", from.has_known());
  message.known = from.known();
  message.offset = from.offset();
  message.total = from.total();
  message.bytes = taken(*from.mutable_bytes());
  fields.sentence("error", *from.mutable_error(), message.error);
  return fields.result(std::move(message));
}

Status check(const Released&) {
  return {};
}

void write(const Released& from, proto::Released& to) {
  to.set_was_here(from.was_here);
}

Result<Released> read(proto::Released& from) {
  FieldRead fields;
  fields.required("was_here", from.has_was_here());
  return fields.result(Released{.was_here = from.was_here()});
}

Status check(const WorkerRegistration& message) {
  FieldCheck fields;
  fields.identity("node", message.node);
  fields.cores(message.total_cores, message.available_cores);
  return fields.result();
}

void write(const WorkerRegistration& from, proto::WorkerRegistration& to) {
  write_identity(from.node, *to.mutable_node());
  to.set_boot(from.boot.value());
  to.set_total_cores(from.total_cores);
  to.set_available_cores(from.available_cores);
  to.set_drained(from.drained);
}

Result<WorkerRegistration> read(proto::WorkerRegistration& from) {
  WorkerRegistration message;
  FieldRead fields;
  fields.required("node", from.has_node());
  fields.part("node", read_identity(from.node()), message.node);
  fields.required("boot", from.has_boot());
  message.boot = BootId(from.boot());
  message.total_cores = from.total_cores();
  message.available_cores = from.available_cores();
  message.drained = from.drained();
  return fields.result(std::move(message));
}

Status check(const RegistrationAck& message) {
  FieldCheck fields;
  fields.identity("leader", message.leader);
  return fields.result();
}

void write(const RegistrationAck& from, proto::RegistrationAck& to) {
  to.set_accepted(from.accepted);
  to.set_error(fitted_sentence(from.error));
  if (from.leader) write_identity(*from.leader, *to.mutable_leader());
  to.set_term(from.term.value());
}

Result<RegistrationAck> read(proto::RegistrationAck& from) {
  RegistrationAck message;
  FieldRead fields;
  fields.required("accepted", from.has_accepted());
  message.accepted = from.accepted();
  fields.sentence("error", *from.mutable_error(), message.error);
  if (from.has_leader()) fields.identity("leader", from.leader(), message.leader);
  message.term = Term(from.term());
  return fields.result(std::move(message));
}

}  // namespace hyperscale::wire::job_fields

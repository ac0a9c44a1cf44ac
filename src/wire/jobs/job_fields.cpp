#include "wire/jobs/job_fields.h"

#include "wire/progress_fields.h"
#include "wire/proto_fields.h"
#include "wire/wire_text.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace hyperscale::wire::job_fields {
namespace {

Status refused(std::string_view field, std::string_view why) {
  return fail(ErrorCode::kProtocol, fmt::format("{} {}", field, why));
}

Status check_size(std::string_view field, std::size_t bytes, std::size_t most) {
  if (bytes <= most) return {};
  return fail(ErrorCode::kTooLarge, fmt::format("{} has {} bytes, at most {}", field, bytes, most));
}

Status check_job(std::string_view field, std::string_view id) {
  if (id.empty()) return missing(field);
  if (Status ok = check_size(field, id.size(), kJobIdBytesMax); !ok) return ok;
  if (!is_job_id(id)) return refused(field, "has a character that is not visible ASCII, or a '/'");
  return {};
}

Status check_share(const ShareId& share) {
  if (Status ok = check_job("job", share.job); !ok) return ok;
  FieldCheck check;
  check.choice("part", share.part, SharePart::kSteps, SharePart::kTeardown);
  if (Status ok = check.result(); !ok) return ok;
  if (share.part != SharePart::kSteps && share.share != 0) return refused("share", "is not 0 in a setup or teardown");
  return {};
}

Status check_change(const NumberedChange& change) {
  if (change.number == 0) return missing("number");
  if (change.command.empty()) return missing("command");
  if (Status ok = check_size("command", change.command.size(), kLoadCommandBytesMax); !ok) return ok;
  if (std::ranges::any_of(change.command, is_control)) return refused("command", "has a control character");
  FieldCheck check;
  check.time("elapsed", change.elapsed);
  return check.result();
}

Status check_value(const ContextValue& value) {
  if (Status ok = check_name("source", value.source); !ok) return ok;
  if (Status ok = check_size("key", value.key.size(), kProgressNameBytesMax); !ok) return ok;
  return check_size("json", value.json.size(), kSharedValueTextBytesMax);
}

}  // namespace

Status check_choice(std::string_view field, std::uint32_t value, std::uint32_t first, std::uint32_t last) {
  if (value >= first && value <= last) return {};
  return value == 0 ? Status(missing(field)) : refused(field, fmt::format("has no meaning as {}", value));
}

void FieldCheck::job(std::string_view field, std::string_view id) {
  add(check_job(field, id));
}

void FieldCheck::share(std::string_view field, const ShareId& share) {
  part(field, check_share(share));
}

void FieldCheck::attempt(const AttemptId& attempt) {
  share("attempt.share", attempt.share);
  // The epoch is a token of an election, and the first one is 1.
  if (attempt.fence.epoch == 0) add(missing("attempt.fence"));
}

void FieldCheck::name(std::string_view field, std::string_view text) {
  add(check_name(field, text));
}

void FieldCheck::visible(std::string_view field, std::string_view text, std::size_t most) {
  if (const Status ok = check_text(text, most); !ok) {
    add(fail(ok.error().code, fmt::format("{} {}", field, ok.error().context)));
  }
}

void FieldCheck::size(std::string_view field, std::size_t bytes, std::size_t most) {
  add(check_size(field, bytes, most));
}

void FieldCheck::count(std::string_view field, std::size_t entries, std::size_t most) {
  add(check_count(field, entries, most));
}

void FieldCheck::range(std::string_view field, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value < least)
    add(value == 0 ? Status(missing(field)) : refused(field, fmt::format("is {}, at least {}", value, least)));
  if (value > most) add(fail(ErrorCode::kTooLarge, fmt::format("{} is {}, at most {}", field, value, most)));
}

void FieldCheck::time(std::string_view field, Duration time) {
  if (time < Duration::zero()) add(refused(field, "is below zero"));
  if (time > kShareTimeMax) add(fail(ErrorCode::kTooLarge, fmt::format("{} is more than a year", field)));
}

void FieldCheck::change(std::string_view field, const NumberedChange& change) {
  part(field, check_change(change));
}

void FieldCheck::changes(std::string_view field, const std::vector<NumberedChange>& changes) {
  count(field, changes.size(), kChangesPerMessageMax);
  std::uint32_t last = 0;
  for (const NumberedChange& each : changes) {
    if (!status_) return;
    change(field, each);
    if (each.number <= last) add(refused(field, "are not in the order of their numbers"));
    last = each.number;
  }
}

void FieldCheck::values(std::string_view field, const std::vector<ContextValue>& values, std::size_t bytes_most) {
  count(field, values.size(), kSharedValuesPerMessageMax);
  std::size_t bytes = 0;
  for (const ContextValue& each : values) {
    if (!status_) return;
    part(field, check_value(each));
    bytes += each.source.size() + each.key.size() + each.json.size();
  }
  size(field, bytes, bytes_most);
}

void FieldCheck::identity(std::string_view field, const std::optional<NodeIdentity>& identity) {
  if (identity) add(check_identity(*identity, field));
}

void FieldCheck::refusal(bool accepted, Refusal refusal) {
  choice("refusal", refusal, Refusal::kNone, Refusal::kResources);
  if (accepted == (refusal == Refusal::kNone)) return;
  add(accepted ? refused("refusal", "is given for an order that was accepted") : Status(missing("refusal")));
}

void FieldCheck::cores(std::uint32_t total, std::uint32_t available) {
  range("total_cores", total, 0, kCoresPerWorkerMax);
  range("available_cores", available, 0, total);
}

void FieldCheck::that(bool holds, std::string_view otherwise) {
  if (!holds) add(fail(ErrorCode::kProtocol, std::string(otherwise)));
}

void FieldCheck::part(std::string_view field, const Status& found) {
  if (!found) add(within(field, found.error()));
}

void FieldRead::required(std::string_view field, bool is_there) {
  if (!is_there) add(missing(field));
}

void FieldRead::attempt(bool is_there, const proto::Attempt& from, AttemptId& into) {
  required("attempt", is_there);
  share("attempt.share", from.has_share(), from.share(), into.share);
  required("attempt.fence", from.has_fence());
  into.fence = read_fence(from.fence());
}

void FieldRead::share(std::string_view field, bool is_there, const proto::Share& from, ShareId& into) {
  required(field, is_there);
  into.job = from.job();
  into.workflow = from.workflow();
  into.share = from.share();
  choice(std::string(field) + ".part", from.part(), SharePart::kSteps, SharePart::kTeardown, into.part);
}

void FieldRead::time(std::string_view field, std::uint64_t ns, Duration& into) {
  if (ns > static_cast<std::uint64_t>(kShareTimeMax.count())) {
    add(fail(ErrorCode::kTooLarge, fmt::format("{} is more than a year", field)));
  } else {
    into = Duration(ns);
  }
}

void FieldRead::digest(std::string_view field, const std::string& from, Sha256& into) {
  if (from.empty()) {
    add(missing(field));
  } else if (from.size() != into.size()) {
    add(refused(field, fmt::format("has {} bytes, not {}", from.size(), into.size())));
  } else {
    std::ranges::copy(from, into.begin());
  }
}

void FieldRead::sentence(std::string_view field, std::string& from, std::string& into) {
  add(check_size(field, from.size(), kSentenceBytesMax));
  if (std::ranges::any_of(from, is_control)) add(refused(field, "has a control character"));
  into = std::move(from);
}

void FieldRead::change(std::string_view field, proto::NumberedChange& from, NumberedChange& into) {
  into.number = from.number();
  time(std::string(field) + ".elapsed", from.elapsed_ns(), into.elapsed);
  into.command = std::move(*from.mutable_command());
}

void FieldRead::identity(std::string_view field, const proto::Identity& from, std::optional<NodeIdentity>& into) {
  part(field, read_identity(from), into.emplace());
}

void FieldRead::changes(std::string_view field, google::protobuf::RepeatedPtrField<proto::NumberedChange>& from,
                        std::vector<NumberedChange>& into) {
  list(field, from, kChangesPerMessageMax, into,
       [&](proto::NumberedChange& each, NumberedChange& value) { change(field, each, value); });
}

void FieldRead::values(std::string_view field, google::protobuf::RepeatedPtrField<proto::ContextValue>& from,
                       std::vector<ContextValue>& into) {
  list(field, from, kSharedValuesPerMessageMax, into, [](proto::ContextValue& each, ContextValue& value) {
    value.source = std::move(*each.mutable_source());
    value.key = std::move(*each.mutable_key());
    value.json = std::move(*each.mutable_json());
    value.timestamp = each.timestamp();
  });
}

bool FieldRead::counts(std::string_view field, std::size_t entries, std::size_t most) {
  const Status ok = check_count(field, entries, most);
  add(ok);
  return ok.has_value();
}

void FieldRead::within_field(std::string_view field, const Error& error) {
  add(within(field, error));
}

void write_fence(const Fence& from, proto::Fence& to) {
  to.set_epoch(from.epoch);
  to.set_attempt(from.attempt);
}

void write_share(const ShareId& from, proto::Share& to) {
  to.set_job(from.job);
  to.set_workflow(from.workflow);
  to.set_part(static_cast<std::uint32_t>(from.part));
  to.set_share(from.share);
}

void write_attempt(const AttemptId& from, proto::Attempt& to) {
  write_share(from.share, *to.mutable_share());
  write_fence(from.fence, *to.mutable_fence());
}

void write_change(const NumberedChange& from, proto::NumberedChange& to) {
  to.set_number(from.number);
  to.set_elapsed_ns(written(from.elapsed));
  to.set_command(from.command);
}

void write_value(const ContextValue& from, proto::ContextValue& to) {
  to.set_source(from.source);
  to.set_key(from.key);
  to.set_json(from.json);
  to.set_timestamp(from.timestamp);
}

SharedBytes taken(std::string& from) {
  return from.empty() ? SharedBytes() : SharedBytes::adopt(std::move(from));
}

}  // namespace hyperscale::wire::job_fields

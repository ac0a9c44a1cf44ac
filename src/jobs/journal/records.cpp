#include "jobs/journal/records.h"

#include "base/check.h"
#include "base/endian.h"
#include "base/sealed_record.h"

#include <array>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::jobs {
namespace {

constexpr Seal kRecordSeal{
    .what = "journal record", .magic = {'H', 'S', 'J', 'R'}, .version = 1, .bytes_max = kRecordBytesMax};
constexpr std::size_t kNameTextBytesMax = 256;  // of a job, a workflow, a key of a value
constexpr Seal kValuesSeal{
    .what = "recorded values", .magic = {'H', 'S', 'J', 'V'}, .version = 1, .bytes_max = kRecordedValuesBytesMax};
// Room for the envelope and the fields around the values.
constexpr std::size_t kValuesBytesMax = kRecordBytesMax - 256;

template <typename Fields, typename Id>
void describe_id(Fields& fields, std::string_view field, Id& id) {
  std::uint64_t value = id.value();
  fields.number(field, value, UINT64_MAX);
  if constexpr (Fields::kReads) id = Id(value);
}

template <typename Fields, typename Digest>
void describe_digest(Fields& fields, Digest& digest) {
  for (std::size_t at = 0; at < digest.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = load_le64(digest.data() + at);
    fields.number("digest", word, UINT64_MAX);
    if constexpr (Fields::kReads) store_le64(digest.data() + at, word);
  }
}

template <typename Fields, typename Blob>
void describe_blob(Fields& fields, Blob& blob) {
  describe_digest(fields, blob.sha256);
  fields.number("blob bytes", blob.bytes, UINT64_MAX);
}

template <typename Fields, typename Optional>
void describe_optional_blob(Fields& fields, Optional& blob) {
  bool present = blob.has_value();
  fields.flag("has a blob", present);
  if constexpr (Fields::kReads) {
    if (present) blob.emplace();
  }
  if (blob) describe_blob(fields, *blob);
}

// Numbers of these choices begin with 1; zero is refused as the number beyond the last.
template <typename Fields, typename Choice>
void describe_choice(Fields& fields, std::string_view field, Choice& choice, std::uint8_t last) {
  auto number = static_cast<std::uint8_t>(static_cast<std::uint8_t>(choice) - 1);
  fields.number(field, number, static_cast<std::uint8_t>(last - 1));
  if constexpr (Fields::kReads) choice = static_cast<std::remove_cvref_t<Choice>>(number + 1);
}

template <typename Fields, typename Share>
void describe_share(Fields& fields, Share& share) {
  fields.number("workflow", share.workflow, UINT32_MAX);
  describe_choice(fields, "part", share.part, static_cast<std::uint8_t>(wire::SharePart::kTeardown));
  fields.number("share", share.share, UINT32_MAX);
}

template <typename Fields, typename Fence>
void describe_fence(Fields& fields, Fence& fence) {
  fields.number("epoch", fence.epoch, UINT64_MAX);
  fields.number("attempt", fence.attempt, UINT32_MAX);
}

constexpr auto kDescribeValues = [](auto& fields, auto& values) {
  fields.list("values", values, kRecordedValuesMax, [&](auto& value) {
    fields.text("source", value.source, kNameTextBytesMax);
    fields.text("key", value.key, kNameTextBytesMax);
    fields.text("value", value.json, wire::kSharedValueTextBytesMax);
    fields.number("timestamp", value.timestamp, UINT64_MAX);
  });
};

template <typename Fields, typename Values>
void describe_values(Fields& fields, Values& recorded) {
  kDescribeValues(fields, recorded.values);
  describe_optional_blob(fields, recorded.blob);
}

template <typename Fields, typename Names>
void describe_datacenters(Fields& fields, Names& names) {
  fields.list("datacenters", names, kDatacentersPerJobMax,
              [&](auto& each) { fields.text("datacenter", each, wire::kDatacenterBytesMax); });
}

// What the records of gate and manager have in common about a submission.
template <typename Fields, typename Job>
void describe_submission(Fields& fields, Job& job) {
  fields.text("tenant", job.tenant, kTenantBytesMax);
  fields.text("name", job.name, kNameTextBytesMax);
  describe_blob(fields, job.manifest);
  describe_digest(fields, job.digest);
  fields.text("key", job.key, kIdempotencyKeyBytesMax);
  describe_datacenters(fields, job.datacenters);
  fields.number("gate fence", job.gate_fence, UINT64_MAX);
}

// One overload per kind of record; Ref is const for a writer.
template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<JobCreated> record) {
  describe_submission(fields, record);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<DatacenterResult> record) {
  fields.text("datacenter", record.datacenter, wire::kDatacenterBytesMax);
  fields.number("epoch", record.epoch, UINT64_MAX);
  describe_blob(fields, record.result);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<OwnerChanged> record) {
  fields.text("gate", record.gate, wire::kNodeNameBytesMax);
  fields.number("fence", record.fence, UINT64_MAX);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<JobLed> record) {
  fields.text("manager", record.manager, wire::kNodeNameBytesMax);
  fields.number("epoch", record.epoch, UINT64_MAX);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<JobAccepted> record) {
  describe_submission(fields, record);
  fields.duration("timeout", record.timeout, Duration::max());
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Provisioned> record) {
  fields.list("shares", record.shares, kProvisionsPerRecordMax, [&](auto& each) {
    describe_share(fields, each.share);
    fields.text("worker", each.worker, wire::kNodeNameBytesMax);
    describe_id(fields, "boot", each.boot);
    describe_fence(fields, each.fence);
    describe_digest(fields, each.digest);
  });
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<AttemptEnded> record) {
  describe_share(fields, record.share);
  describe_fence(fields, record.fence);
  fields.text("why", record.why, wire::kSentenceBytesMax);
  fields.text("excluded", record.excluded, wire::kNodeNameBytesMax);
  fields.duration("counted to", record.counted_to, Duration::max());
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<SetupDone> record) {
  fields.number("workflow", record.workflow, UINT32_MAX);
  describe_values(fields, record.values);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<LoadChanged> record) {
  fields.number("workflow", record.workflow, UINT32_MAX);
  fields.number("number", record.change.number, UINT32_MAX);
  fields.duration("elapsed", record.change.elapsed, Duration::max());
  fields.text("command", record.change.command, wire::kLoadCommandBytesMax);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<UsageReported> record) {
  describe_share(fields, record.share);
  fields.number("number", record.number, UINT32_MAX);
  describe_fence(fields, record.fence);
  fields.number("core ms", record.core_ms, UINT64_MAX);
  fields.number("requests", record.requests, UINT64_MAX);
  fields.number("bytes sent", record.bytes_sent, UINT64_MAX);
  fields.number("bytes received", record.bytes_received, UINT64_MAX);
  fields.flag("unattributed", record.unattributed);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<WorkflowMerged> record) {
  fields.number("workflow", record.workflow, UINT32_MAX);
  describe_choice(fields, "end", record.end, static_cast<std::uint8_t>(WorkflowEnd::kNotRun));
  fields.text("error", record.error, wire::kSentenceBytesMax);
  describe_optional_blob(fields, record.result);
  fields.list("shares", record.shares, kSharesPerWorkflowMax, [&](auto& each) {
    describe_share(fields, each.share);
    describe_fence(fields, each.fence);
  });
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<LayerSync> record) {
  fields.number("version", record.version, UINT32_MAX);
  describe_values(fields, record.context);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<CancelRequested> record) {
  fields.text("by", record.by, wire::kSentenceBytesMax);
  fields.text("reason", record.reason, wire::kSentenceBytesMax);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<JobTimedOut> record) {
  fields.duration("elapsed", record.elapsed, Duration::max());
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<JobFailed> record) {
  fields.text("error", record.error, wire::kSentenceBytesMax);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<JobCompleted> record) {
  describe_choice(fields, "end", record.end, static_cast<std::uint8_t>(JobEnd::kCancelled));
  describe_optional_blob(fields, record.result);
}

template <std::size_t... kKinds>
Record record_of_kind(std::size_t kind, std::index_sequence<kKinds...>) {
  Record record;
  (void)((kind == kKinds && (record.emplace<kKinds>(), true)) || ...);
  return record;
}

constexpr auto kDescribeRecord = [](auto& fields, auto& record) {
  using Fields = std::remove_reference_t<decltype(fields)>;
  std::uint64_t kind = record.index();
  fields.number("kind", kind, std::variant_size_v<Record> - 1);
  if constexpr (Fields::kReads) {
    if (fields.failed()) return;
    record = record_of_kind(kind, std::make_index_sequence<std::variant_size_v<Record>>());
  }
  std::visit([&](auto& each) { describe<Fields>(fields, each); }, record);
};

// FNV-1a: the hash of a request may not differ between builds.
std::uint64_t hash_of(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  return (hash ^ 0xff) * 0x100000001b3;  // no text contains it: "ab","c" differs from "a","bc"
}

}  // namespace

OpId op_of_request(std::string_view tenant, std::string_view id, std::string_view kind) {
  const auto over = [&](std::uint64_t basis) { return hash_of(hash_of(hash_of(basis, kind), tenant), id); };
  return {over(0xcbf29ce484222325), over(0x84222325cbf29ce4)};
}

std::string_view name(WorkflowEnd end) {
  switch (end) {
    case WorkflowEnd::kCompleted:
      return "completed";
    case WorkflowEnd::kFailed:
      return "failed";
    case WorkflowEnd::kCancelled:
      return "cancelled";
    case WorkflowEnd::kNotRun:
      return "not run";
  }
  UNREACHABLE("end {}", static_cast<int>(end));
}

std::string_view name(const Record& record) {
  static constexpr std::array<std::string_view, std::variant_size_v<Record>> kNames{
      "job created",      "datacenter result", "owner changed", "job led",        "job accepted",    "provisioned",
      "attempt ended",    "setup done",        "load changed",  "usage reported", "workflow merged", "layer sync",
      "cancel requested", "job timed out",     "job failed",    "job completed"};
  return kNames[record.index()];
}

Durability wanted_for(const Record& record) {
  const bool global = std::holds_alternative<JobCreated>(record) || std::holds_alternative<DatacenterResult>(record) ||
                      std::holds_alternative<OwnerChanged>(record) || std::holds_alternative<CancelRequested>(record) ||
                      std::holds_alternative<JobTimedOut>(record) || std::holds_alternative<JobFailed>(record) ||
                      std::holds_alternative<JobCompleted>(record);
  return global ? Durability::kGlobal : Durability::kRegional;
}

bool fit_record(const std::vector<wire::ContextValue>& values) {
  constexpr std::size_t kNumbersBytesMax = 3 * 3 + 10;  // three lengths and the timestamp
  std::size_t bytes = 0;
  for (const wire::ContextValue& each : values) {
    bytes += each.source.size() + each.key.size() + each.json.size() + kNumbersBytesMax;
    if (bytes > kValuesBytesMax) return false;
  }
  return true;
}

Result<SharedBytes> encode_values(const std::vector<wire::ContextValue>& values) {
  auto bytes = seal_record(kValuesSeal, values, kDescribeValues);
  if (!bytes) return fail(bytes.error());
  if (bytes->size() > kRecordedValuesBytesMax)
    return fail(ErrorCode::kTooLarge,
                fmt::format("the values have {} bytes, at most {} are kept", bytes->size(), kRecordedValuesBytesMax));
  return SharedBytes::adopt(std::move(*bytes));
}

Result<std::vector<wire::ContextValue>> decode_values(ByteView bytes) {
  return open_record<std::vector<wire::ContextValue>>(kValuesSeal, bytes, kDescribeValues);
}

Result<SharedBytes> encode(const Record& record) {
  auto bytes = seal_record(kRecordSeal, record, kDescribeRecord);
  if (!bytes) return fail(bytes.error());
  if (bytes->size() > kRecordBytesMax)
    return fail(ErrorCode::kTooLarge, fmt::format("record \"{}\" has {} bytes, at most {} fit", name(record),
                                                  bytes->size(), kRecordBytesMax));
  return SharedBytes::adopt(std::move(*bytes));
}

Result<Record> decode_record(ByteView bytes) {
  return open_record<Record>(kRecordSeal, bytes, kDescribeRecord);
}

}  // namespace hyperscale::jobs

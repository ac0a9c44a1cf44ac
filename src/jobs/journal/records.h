// Record: one decision about a job, as the journal keeps it. Each record says what may not happen before it is
// appended; docs/architecture/jobs.md has the table.
//
// One encoding per record: decode_record(encode(r)) == r, and equal records have equal bytes, because logs are compared
// by checksum. At most kRecordBytesMax: values that do not fit are a blob that the record names. The numbers of the
// kinds are the order in the variant and stay: new kinds are added at its end.
//
// A record belongs to one job, so shares are named without it. Elapsed times count from the first start of the job or,
// for a share, of its workflow; no clock reading is kept. Plain values, pure functions; any thread. Decoding validates
// everything: bytes that encode() cannot produce are kProtocol.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "jobs/journal/journal.h"
#include "wire/jobs/attempt.h"
#include "wire/jobs/dispatch.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hyperscale::jobs {

inline constexpr std::size_t kProvisionsPerRecordMax = 256;
inline constexpr std::size_t kSharesPerWorkflowMax = 2'048;
inline constexpr std::size_t kDatacentersPerJobMax = 64;
inline constexpr std::size_t kRecordedValuesMax = 200'000;  // of all workflows of a job
inline constexpr std::size_t kRecordedValuesBytesMax = std::size_t{64} << 20;

// A share of the job that the record is about.
struct ShareNumber {
  std::uint32_t workflow = 0;
  wire::SharePart part = wire::SharePart::kSteps;
  std::uint32_t share = 0;
  auto operator<=>(const ShareNumber&) const = default;
};

// Values inside the record, or as a blob.
struct RecordedValues {
  std::vector<wire::ContextValue> values;
  std::optional<wire::BlobName> blob;  // then `values` is empty
  bool operator==(const RecordedValues&) const = default;
};
// Whether a record with these values inside has at most kRecordBytesMax.
bool fit_record(const std::vector<wire::ContextValue>& values);
// The content of the blob otherwise; errors as those of records.
Result<SharedBytes> encode_values(const std::vector<wire::ContextValue>& values);
Result<std::vector<wire::ContextValue>> decode_values(ByteView bytes);

// --- of a gate
struct JobCreated {  // before the answer to the client
  std::string tenant;
  std::string name;
  wire::BlobName manifest;
  wire::Sha256 digest{};  // of the whole submission
  std::string key;
  std::vector<std::string> datacenters;
  std::uint64_t gate_fence = 0;
  bool operator==(const JobCreated&) const = default;
};
struct DatacenterResult {  // before the answer to the datacenter
  std::string datacenter;
  std::uint64_t epoch = 0;
  wire::BlobName result;
  bool operator==(const DatacenterResult&) const = default;
};
struct OwnerChanged {  // before the gate acts as owner
  std::string gate;
  std::uint64_t fence = 0;
  bool operator==(const OwnerChanged&) const = default;
};

// --- of a manager
struct JobLed {  // before anything that the leader does for the job
  std::string manager;
  std::uint64_t epoch = 0;
  bool operator==(const JobLed&) const = default;
};
struct JobAccepted {  // before the answer to whoever submitted it
  std::string tenant;
  std::string name;
  wire::BlobName manifest;
  wire::Sha256 digest{};
  std::string key;
  std::vector<std::string> datacenters;
  std::uint64_t gate_fence = 0;
  Duration timeout{};  // of its execution
  bool operator==(const JobAccepted&) const = default;
};
struct Provision {
  ShareNumber share;
  std::string worker;
  wire::BootId boot;
  wire::Fence fence;
  wire::Sha256 digest{};  // of the dispatch content
  bool operator==(const Provision&) const = default;
};
struct Provisioned {  // before the dispatches of these fences
  std::vector<Provision> shares;
  bool operator==(const Provisioned&) const = default;
};
struct AttemptEnded {  // before another attempt
  ShareNumber share;
  wire::Fence fence;
  std::string why;
  std::string excluded;   // worker that does not get this share again; empty: none
  Duration counted_to{};  // figures of this attempt count from its begin up to here
  bool operator==(const AttemptEnded&) const = default;
};
struct SetupDone {  // before the first start of the workflow
  std::uint32_t workflow = 0;
  RecordedValues values;
  bool operator==(const SetupDone&) const = default;
};
struct LoadChanged {  // before any change goes to a worker
  std::uint32_t workflow = 0;
  wire::NumberedChange change;
  bool operator==(const LoadChanged&) const = default;
};
struct UsageReported {  // before it is billed
  ShareNumber share;
  std::uint32_t number = 0;
  wire::Fence fence;
  std::uint64_t core_ms = 0;
  std::uint64_t requests = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  bool unattributed = false;  // under an old fence: nobody pays
  bool operator==(const UsageReported&) const = default;
};
enum class WorkflowEnd : std::uint8_t { kCompleted = 1, kFailed = 2, kCancelled = 3, kNotRun = 4 };
std::string_view name(WorkflowEnd end);  // "completed", "failed", "cancelled", "not run"
struct CountedShare {
  ShareNumber share;
  wire::Fence fence;  // of the last attempt that counts
  bool operator==(const CountedShare&) const = default;
};
struct WorkflowMerged {  // before results are released and the workflow's result is pushed
  std::uint32_t workflow = 0;
  WorkflowEnd end = WorkflowEnd::kCompleted;
  std::string error;
  std::optional<wire::BlobName> result;  // none: nothing ran
  std::vector<CountedShare> shares;
  bool operator==(const WorkflowMerged&) const = default;
};
struct LayerSync {            // before the next layer is provisioned
  std::uint32_t version = 0;  // layers that have ended
  RecordedValues context;
  bool operator==(const LayerSync&) const = default;
};
struct CancelRequested {  // before "cancellation requested"
  std::string by;
  std::string reason;
  bool operator==(const CancelRequested&) const = default;
};
struct JobTimedOut {  // this and the next two: before the final push
  Duration elapsed{};
  bool operator==(const JobTimedOut&) const = default;
};
struct JobFailed {
  std::string error;
  bool operator==(const JobFailed&) const = default;
};
enum class JobEnd : std::uint8_t { kCompleted = 1, kPartial = 2, kCancelled = 3 };
struct JobCompleted {
  JobEnd end = JobEnd::kCompleted;
  std::optional<wire::BlobName> result;  // of all datacenters; none: those of the workflows stand
  bool operator==(const JobCompleted&) const = default;
};

using Record = std::variant<JobCreated, DatacenterResult, OwnerChanged, JobLed, JobAccepted, Provisioned, AttemptEnded,
                            SetupDone, LoadChanged, UsageReported, WorkflowMerged, LayerSync, CancelRequested,
                            JobTimedOut, JobFailed, JobCompleted>;

std::string_view name(const Record& record);  // "job accepted"
// The level that the record needs where the journal can give one.
Durability wanted_for(const Record& record);

// kInvalidArgument, with the first field beyond its limit; kTooLarge beyond kRecordBytesMax.
Result<SharedBytes> encode(const Record& record);
Result<Record> decode_record(ByteView bytes);

}  // namespace hyperscale::jobs

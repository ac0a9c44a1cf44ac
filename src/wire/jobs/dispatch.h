// Orders of a job leader to a worker, and their answers (MSG-TCP-3 to -6, EXEC-DISP-1, WFSM-DEP-2).
//
// A dispatch has two parts. Its content never changes: a retry on another worker sends the same bytes (FAIL-WORKER-1),
// and `digest` names them. Its head belongs to one attempt. Dispatch, start and change carry the boot id of the worker:
// another process at the same address refuses them, because it has no memory of older fences. They also carry the term
// of the leader's datacenter: a worker refuses terms below the highest that it has answered (fleet rule H5).
//
// Elapsed times count from the start of the workflow, without pauses; no clock reading crosses hosts. Plain values; any
// thread. Bytes: jobs_codec.h.
#pragma once

#include "base/bytes.h"
#include "base/time.h"
#include "wire/jobs/attempt.h"
#include "wire/node_identity.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::wire {

inline constexpr std::size_t kSentenceBytesMax = 1024;             // of an error or reason: see fitted_sentence
inline constexpr std::size_t kContentInlineBytesMax = 512 * 1024;  // larger contents are fetched in parts
inline constexpr std::size_t kContentBytesMax = std::size_t{64} << 20;
inline constexpr std::size_t kBlobsPerDispatchMax = 2'000;
inline constexpr std::size_t kChangesPerMessageMax = 10'000;
inline constexpr std::size_t kLoadCommandBytesMax = 64;
inline constexpr std::size_t kSharedValuesPerMessageMax = 200;
inline constexpr std::size_t kSharedValueTextBytesMax = 64 * 1024;
inline constexpr std::size_t kSharedValuesBytesMax = 768 * 1024;  // all texts of a start or a final result
inline constexpr std::size_t kSharesPerCancelMax = 4'096;
inline constexpr std::size_t kRequesterIdBytesMax = 128;
inline constexpr std::uint64_t kBlobBytesMax = std::uint64_t{64} << 20;
inline constexpr std::uint32_t kVusPerShareMax = 10'000'000;
inline constexpr std::uint32_t kCoresPerWorkerMax = 4'096;  // and slots of a share
inline constexpr std::uint32_t kSlotsPerWorkflowMax = 1'000'000;
inline constexpr std::uint32_t kDatacentersPerJobMax = 1'000;
inline constexpr Duration kShareTimeMax = 24h * 365;  // of any time in a message; none is below zero

using BootId = StrongId<struct BootIdTag>;  // random per process of a worker
using Sha256 = std::array<std::uint8_t, 32>;

struct BlobName {
  Sha256 sha256{};
  std::uint64_t bytes = 0;
  auto operator<=>(const BlobName&) const = default;
};

// What a message carries of an error or reason: control characters become blanks, and text beyond kSentenceBytesMax is
// cut between two characters. The codec does so when it writes, because a sentence must never hold up a message.
std::string fitted_sentence(std::string_view text);

// A change of the load: the n-th of the workflow, counted from 1.
struct NumberedChange {
  std::uint32_t number = 0;
  Duration elapsed{};
  std::string command = {};  // canonical text of a plan::LoadCommand
  bool operator==(const NumberedChange&) const = default;
};

// A value that a completed workflow or a setup provides (plan::SharedValue).
struct ContextValue {
  std::string source = {};  // workflow; empty: the setup of the own one
  std::string key = {};
  std::string json = {};
  std::uint64_t timestamp = 0;  // Lamport
  bool operator==(const ContextValue&) const = default;
};

// The part of a dispatch that is the same for every attempt; its SHA-256 is the digest.
struct DispatchContent {
  ShareId share;
  std::string workflow_name = {};  // as in WorkflowProgress
  SharedBytes workflow = {};       // manifest of the workflow: plan without the contents of `blobs`
  std::vector<BlobName> blobs = {};
  std::uint32_t vus = 0;    // of this share
  std::uint32_t cores = 0;  // to allocate: one per slot, one for a setup, a teardown, or a workflow that tests nothing
  std::uint32_t first_slot = 0;
  std::uint32_t slots = 1;
  std::uint32_t slot_total = 1;  // of the workflow in one datacenter
  std::uint32_t datacenter_index = 0;
  std::uint32_t datacenter_count = 1;
  bool split = false;                      // users and rate are divided over datacenters
  std::uint32_t context_version = 0;       // layer that the dispatch belongs to (EXEC-DISP-3)
  std::vector<ContextValue> context = {};  // of the workflows it depends on
  Duration timeout{};                      // execution, from its start; zero: none
  Duration stop_without_manager_after{};   // since an acting leader acknowledged last; zero: never
  bool operator==(const DispatchContent& other) const;
};

struct WorkflowDispatch {
  AttemptId attempt;
  BootId boot = {};
  Term term = {};
  Sha256 digest{};  // of the content
  std::uint64_t content_bytes = 0;
  SharedBytes content = {};  // encoded DispatchContent; empty: larger than kContentInlineBytesMax, fetch it
  Duration from_elapsed{};   // a resumed share begins here
  std::vector<NumberedChange> changes = {};  // so far, in order
  bool operator==(const WorkflowDispatch& other) const;
};

enum class Refusal : std::uint8_t {
  kNone = 0,
  kOldFence,  // `known` is the fence that the worker has for this share
  kOldTerm,
  kOtherBoot,     // `boot` is that of the worker
  kOtherContent,  // an equal fence with another digest
  kNoCores,
  kDraining,
  kShelfFull,  // too many results wait to be fetched
  kBadPlan,    // permanent: no worker could run it
  kUnknown,    // start or change of an attempt that is not here
  kNotReady,
  kResources,  // disk, memory: another worker may have them
};
std::string_view name(Refusal refusal);

struct WorkflowDispatchAck {
  AttemptId attempt;
  bool accepted = false;
  Refusal refusal = Refusal::kNone;
  std::string error = {};  // one sentence if it was refused
  std::uint32_t cores_assigned = 0;
  Fence known = {};
  BootId boot = {};
  bool operator==(const WorkflowDispatchAck&) const = default;
};

// REQUIRES: the attempt is ready. Repeating it is harmless.
struct WorkflowStart {
  AttemptId attempt;
  BootId boot = {};
  Term term = {};
  Duration start_in{};
  std::vector<ContextValue> values = {};  // of the setup
  bool operator==(const WorkflowStart&) const = default;
};

struct WorkflowChange {
  AttemptId attempt;
  BootId boot = {};
  Term term = {};
  NumberedChange change;
  bool operator==(const WorkflowChange&) const = default;
};

// Answer to a start or a change.
struct OrderAck {
  AttemptId attempt;
  bool accepted = false;
  Refusal refusal = Refusal::kNone;
  std::string error = {};
  std::uint32_t last_change = 0;         // number of the last change that it has
  std::optional<Duration> elapsed = {};  // since its start; none: not started
  bool operator==(const OrderAck&) const = default;
};

enum class CancelMode : std::uint8_t {
  kCancel = 1,  // stop, 1 s later kill
  kStop = 2,    // stop gracefully; what ends in time counts
  kKill = 3,
};

// Always allowed, whatever the term: stopping load is safe. A lower epoch than that of an attempt has no effect on it.
struct WorkflowCancelRequest {
  std::string job = {};
  std::vector<ShareId> shares = {};  // empty: all of the job
  std::uint64_t epoch = 0;
  CancelMode mode = CancelMode::kCancel;
  std::string requester_id = {};
  std::string reason = {};
  bool operator==(const WorkflowCancelRequest&) const = default;
};

struct WorkflowCancelResponse {
  std::string job = {};
  bool success = false;               // also if nothing was running: cancelling twice has one answer
  std::uint32_t cancelled_count = 0;  // attempts that this request or an equal one before stopped
  std::uint32_t still_running = 0;    // processes have not ended yet
  std::string error = {};
  bool operator==(const WorkflowCancelResponse&) const = default;
};

}  // namespace hyperscale::wire

// What a worker reports to the leader of a job, and the answers: progress, events, final results (MSG-TCP-8, RES-1,
// PROG). And what a leader asks a worker for: its attempts and its results.
//
// Progress is cumulative: the newest replaces. Events and final results are repeated until they are acknowledged. A
// final result has no body: the leader fetches it in parts when it has room (fleet rule 38), and releases it when the
// merged result is held by a majority; until then the worker keeps it. Plain values; any thread. Bytes: jobs_codec.h.
#pragma once

#include "base/bytes.h"
#include "base/time.h"
#include "wire/jobs/attempt.h"
#include "wire/jobs/dispatch.h"
#include "wire/node_identity.h"
#include "wire/progress.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::wire {

inline constexpr std::size_t kFastMomentBytesMax = 256 * 1024;
inline constexpr std::size_t kExactDeltaBytesMax = 256 * 1024;  // of one attempt; above it only counts travel
inline constexpr std::size_t kBlobPartBytes = 512 * 1024;
inline constexpr std::size_t kAttemptsPerWorkerMax = 4'096;
inline constexpr std::size_t kTombstonesPerAnswerMax = 4'096;
inline constexpr std::uint64_t kResultBytesMax = std::uint64_t{256} << 20;

struct ShareProgress {
  AttemptId attempt;
  WorkflowProgress figures;    // the catalogue's fields
  std::uint64_t sequence = 0;  // per attempt
  Duration elapsed{};          // since its start, without pauses
  std::uint32_t last_change = 0;
  SharedBytes fast = {};   // results::FastMoment; empty: too large
  SharedBytes exact = {};  // results::ExactDelta; empty: none in this message
  bool operator==(const ShareProgress& other) const;
};

enum class Pressure : std::uint8_t { kNone = 0, kThrottle = 1, kBatch = 2, kReject = 3 };

struct ProgressAck {
  bool accepted = false;                    // false: the sender does not lead, or refuses the fence
  Fence known = {};                         // the fence that counts now; greater than the sender's: stop
  std::optional<NodeIdentity> leader = {};  // of the job; none: not known yet
  std::uint64_t epoch = 0;                  // of that leader
  std::uint64_t exact_through = 0;          // number of the exact state that it has; 0: send the whole
  Pressure pressure = Pressure::kNone;
  Duration delay{};  // to add between two reports
  bool operator==(const ProgressAck&) const = default;
};

enum class AttemptEvent : std::uint8_t {
  kReady = 1,    // all executors are ready
  kRefused = 2,  // it cannot run here: `refusal` and `text`
  kStarted = 3,
  kExecutorLost = 4,  // one or more segments are lost; the rest goes on
  kNote = 5,          // a line for the log of the job
};
std::string_view name(AttemptEvent event);

struct WorkflowEvent {
  AttemptId attempt;
  std::uint32_t number = 0;  // per attempt, from 1; the leader drops repeats
  AttemptEvent event = AttemptEvent::kNote;
  Refusal refusal = Refusal::kNone;
  std::string text = {};
  Duration elapsed{};        // since its start
  Duration start_late_by{};  // of kStarted: behind the requested moment
  bool operator==(const WorkflowEvent&) const = default;
};

enum class AttemptEnd : std::uint8_t { kCompleted = 1, kFailed = 2, kCancelled = 3, kStopped = 4 };
std::string_view name(AttemptEnd end);  // lower case: "completed"

struct WorkflowFinalResult {
  AttemptId attempt;
  AttemptEnd end = AttemptEnd::kCompleted;
  std::string error = {};  // empty exactly if it did not fail
  Sha256 digest{};         // of the body: a results::Recorded, by results_codec.h
  std::uint64_t bytes = 0;
  std::vector<ContextValue> context_updates = {};
  Duration elapsed{};
  std::uint64_t requests = 0;  // of the body, so that a discarded one is counted
  bool partial = false;        // a segment was lost
  bool operator==(const WorkflowFinalResult&) const = default;
};

// Answer to an event or a final result.
struct ReportAck {
  bool accepted = false;  // false: send it to `leader`, or again later
  Fence known = {};
  std::optional<NodeIdentity> leader = {};
  std::uint64_t epoch = 0;
  bool operator==(const ReportAck&) const = default;
};

// A worker asks whether a job was cancelled, in case the order was lost (JOB-CANCEL-2).
struct CancelQuery {
  AttemptId attempt;
  bool operator==(const CancelQuery&) const = default;
};
struct CancelQueryAnswer {
  bool known = false;  // false: this manager does not know the job
  bool is_cancelled = false;
  Fence current = {};  // of the share
  bool operator==(const CancelQueryAnswer&) const = default;
};

// --- what a leader asks for
enum class AttemptPhase : std::uint8_t { kPreparing = 1, kReady = 2, kStarted = 3, kEnding = 4, kFinished = 5 };
std::string_view name(AttemptPhase phase);

struct AttemptState {
  AttemptId attempt;
  AttemptPhase phase = AttemptPhase::kPreparing;
  Sha256 digest{};     // of the dispatch content
  Duration elapsed{};  // since its start
  std::uint32_t cores = 0;
  std::uint32_t last_change = 0;
  std::optional<WorkflowFinalResult> result = {};  // kFinished: on the shelf, see fit_answer; of the same attempt
  bool operator==(const AttemptState&) const = default;
};
struct Tombstone {  // an attempt that is over and released, or was cancelled
  AttemptId attempt;
  bool cancelled_by_request = false;
  bool operator==(const Tombstone&) const = default;
};

// Answering it is a promise to refuse dispatch, start and change of lower terms.
struct WorkerQuery {
  Term term = {};
  std::string job = {};  // empty: of all jobs
  bool operator==(const WorkerQuery&) const = default;
};
struct WorkerAnswer {
  BootId boot = {};
  Term term = {};  // the highest that it has promised
  std::uint32_t total_cores = 0;
  std::uint32_t available_cores = 0;
  std::uint64_t version = 0;
  bool draining = false;
  std::vector<AttemptState> attempts = {};
  std::vector<Tombstone> tombstones = {};
  bool operator==(const WorkerAnswer&) const = default;
};

struct ResultFetch {
  AttemptId attempt;
  std::uint64_t offset = 0;
  bool operator==(const ResultFetch&) const = default;
};
struct ResultRelease {
  AttemptId attempt;
  bool operator==(const ResultRelease&) const = default;
};

// A blob, a dispatch content or a result, in parts of kBlobPartBytes.
struct BlobWant {
  Sha256 sha256{};
  std::uint64_t offset = 0;
  bool is_content = false;  // a dispatch content, which is kept in memory only
  bool operator==(const BlobWant&) const = default;
};
struct BytesPart {
  bool known = false;
  std::uint64_t offset = 0;
  std::uint64_t total = 0;
  SharedBytes bytes = {};
  std::string error = {};
  bool operator==(const BytesPart& other) const;
};
struct Released {
  bool was_here = false;
  bool operator==(const Released&) const = default;
};

// A worker introduces itself (SCALE-1), and says when it has finished draining (SCALE-2).
struct WorkerRegistration {
  NodeIdentity node;
  BootId boot = {};
  std::uint32_t total_cores = 0;
  std::uint32_t available_cores = 0;
  bool drained = false;
  bool operator==(const WorkerRegistration&) const = default;
};
struct RegistrationAck {
  bool accepted = false;
  std::string error = {};
  std::optional<NodeIdentity> leader = {};
  Term term = {};
  bool operator==(const RegistrationAck&) const = default;
};

}  // namespace hyperscale::wire

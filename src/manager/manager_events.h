// Events and actions of ManagerCore, as values. Any thread.
//
// The adapter promises: each Ask, FetchResult, MergeShare, StoreResult and StoreBlob has exactly one outcome, whatever
// happens to the worker, unless the job was dropped before; each Journal request is answered as journal.h says; a Tick
// comes every kManagerTick.
#pragma once

#include "base/error.h"
#include "base/result.h"
#include "base/time.h"
#include "jobs/journal/journal.h"
#include "jobs/journal/records.h"
#include "manager/job_log.h"
#include "manager/job_record.h"
#include "manager/question_book.h"
#include "manager/submission.h"
#include "manager/worker_pool.h"
#include "wire/jobs/job_message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hyperscale::manager {

inline constexpr Duration kManagerTick = 100ms;

using RequestId = StrongId<struct RequestIdTag>;  // of a caller of this node, who gets one answer
using ReportId = StrongId<struct ReportIdTag>;    // of a message of a worker, which gets one Reply

// --- events: from callers of the node
struct Submitted {
  RequestId request;
  Submission submission;
};
struct CancelAsked {
  RequestId request;
  std::string job;
  std::string by;
  std::string reason;
  std::optional<std::uint64_t> gate_fence;  // of a gate; a client has none
};
// --- from workers
struct Answered {
  QuestionId question;
  wire::JobAnswer answer;
};
struct AskFailed {  // no answer: perhaps it was done
  QuestionId question;
  Error error;
};
// The adapter folds the figures before this event, in the same turn, and only if ManagerCore::counts(attempt).
struct Progressed {
  ReportId report;
  wire::ShareProgress progress;
  std::uint64_t exact_through = 0;  // number of the newest exact figures that are folded
  Duration counted_to{};            // their time since the start of the workflow
  wire::Pressure pressure = wire::Pressure::kNone;
};
struct Reported {
  ReportId report;
  wire::WorkflowEvent event;
};
struct Finished {
  ReportId report;
  wire::WorkflowFinalResult result;
};
struct CancelQueried {
  ReportId report;
  wire::CancelQuery query;
};
struct WorkerSeen {  // it has registered, or its heartbeat has come
  WorkerNews news;
};
struct WorkerDown {  // dead or left
  std::string worker;
};
// --- from the node itself
struct Journalled {
  jobs::JournalEvent event;
};
struct BlobStored {
  std::string job;
  Status status;
};
struct ResultFetched {
  wire::AttemptId attempt;
  Status status;  // kProtocol: the bytes are not what their digest says, on this worker they never will be
};
struct ShareMerged {
  wire::AttemptId attempt;
  Status status;
};
struct ResultStored {
  std::string job;
  std::uint32_t workflow = 0;
  Result<wire::BlobName> result;
};
struct Tick {};

// --- actions
struct Journal {
  jobs::JournalRequest request;
};
struct Ask {
  QuestionId question;
  std::string worker;
  wire::JobQuestion message;
};
struct Reply {
  ReportId report;
  std::variant<wire::ProgressAck, wire::ReportAck, wire::CancelQueryAnswer> answer;
};
struct SubmitAnswer {
  RequestId request;
  std::string job;  // that of the idempotency key, if it is known
  Status accepted;
  std::uint32_t queued_position = 0;  // zero: it does not wait
};
struct CancelAnswer {
  RequestId request;
  std::string job;
  Result<std::uint32_t> cancelled;  // workflows that had not ended
};
// Fetches the body from its worker in parts and checks its digest.
struct FetchResult {
  std::string worker;
  wire::AttemptId attempt;
  wire::Sha256 digest{};
  std::uint64_t bytes = 0;
};
// Adds the figures of an attempt to the result of its workflow: the fetched body, or what its progress has brought.
struct MergeShare {
  wire::AttemptId attempt;
  bool from_progress = false;
};
// The figures of an attempt that counts for nothing leave the live view.
struct DropFigures {
  wire::AttemptId attempt;
};
// What the result says about a lost attempt.
struct Loss {
  jobs::ShareNumber share;
  std::string worker;
  std::string why;
  bool again = false;           // the share ran again
  Duration lost_at{};           // all times since the start of the workflow
  Duration counted_to{};        // figures of the attempt count up to here
  Duration again_at{};          // zero: not again
  Duration again_from{};        // the point of the load at which it continued
  std::uint64_t discarded = 0;  // requests that do not count, a lower bound
  bool operator==(const Loss&) const = default;
};
struct StoreResult {
  std::string job;
  std::uint32_t workflow = 0;
  jobs::WorkflowEnd end = jobs::WorkflowEnd::kCompleted;
  std::string error;
  bool partial = false;
  Duration start_late_most{};  // of all shares behind the common start
  std::vector<Loss> losses;
};
// Progress of a job, for whoever watches it.
struct StateChanged {
  JobState state = JobState::kSubmitted;
  std::string reason;
};
struct WorkflowStarted {
  std::uint32_t workflow = 0;
  Duration start_in{};
};
struct WorkflowOver {
  std::uint32_t workflow = 0;
  jobs::WorkflowEnd end = jobs::WorkflowEnd::kCompleted;
  std::string error;
  std::optional<wire::BlobName> result;
};
struct Line {
  std::string text;
};
using JobEvent = std::variant<StateChanged, WorkflowStarted, WorkflowOver, Loss, Line>;
struct Push {
  std::string job;
  JobEvent event;
};
struct DropJob {  // everything that is kept for it may go
  std::string job;
};
struct Note {  // a line for the log of the node
  std::string text;
};

}  // namespace hyperscale::manager

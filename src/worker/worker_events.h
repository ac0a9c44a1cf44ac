// Setup, events and actions of WorkerCore, as values.
//
// Every Asked is answered by one Answer, at once or later. Every Send is followed by one Acked or Unanswered (within
// the sender's deadline). An accepted attempt goes through ReadContent, FetchBlobs, Resolve, Prepare in this order,
// each answered by one event or by Refused. Prepare creates its ShareMachine and processes: from then on exactly one
// Ended comes, as the last event of the attempt. Kill before Prepare abandons the preparation, and no Ended comes.
// Events of attempts that are not here are ignored. Plain values; any thread.
#pragma once

#include "base/bytes.h"
#include "base/strong_type.h"
#include "base/time.h"
#include "wire/jobs/job_message.h"
#include "worker/core_map.h"
#include "worker/fence_table.h"
#include "worker/result_shelf.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::worker {

using Ticket = StrongId<struct TicketTag>;  // of a question that was asked here
using SendId = StrongId<struct SendIdTag>;  // of a question that this worker sent

struct WorkerSetup {
  wire::BootId boot;  // random, of this process
  std::uint32_t cores = 1;
  std::uint64_t seed = 0;  // of the pauses between repeats
  std::size_t results_max = kResultsKeptMax;
  std::uint64_t result_bytes_max = kResultsKeptBytesMax;
  std::uint64_t one_result_bytes_max = wire::kResultBytesMax;
  std::size_t fenced_shares_max = kFencedSharesMax;
};

// --- events: the cluster
struct Asked {
  Ticket ticket;
  wire::NodeIdentity from;
  wire::JobQuestion question;
};
struct Acked {
  SendId id;
  wire::JobAnswer answer;
};
struct Unanswered {
  SendId id;
};
struct ManagerUp {
  wire::NodeIdentity manager;
};
struct ManagerDown {
  wire::NodeAddress manager;
};
// The leader of the datacenter: a promise to refuse older terms (H5), and a manager to try early.
struct LeaderHeard {
  wire::NodeIdentity leader;
  wire::Term term;
};
struct Draining {};  // no new work; what is here ends by itself
struct Tick {};      // at next_wake()

// --- events: an attempt
struct ContentRead {  // its SHA-256 is the digest of the dispatch
  wire::AttemptId attempt;
  std::shared_ptr<const wire::DispatchContent> content;
};
struct BlobsReady {
  wire::AttemptId attempt;
};
struct Resolved {
  wire::AttemptId attempt;
};
struct Prepared {  // all executors are ready
  wire::AttemptId attempt;
};
struct Refused {  // content, blobs, names or executors: it cannot run here
  wire::AttemptId attempt;
  wire::Refusal refusal = wire::Refusal::kBadPlan;
  std::string why;
};
struct Begun {  // the executors have started
  wire::AttemptId attempt;
  Duration late_by{};  // behind Start::at
};
struct ExecutorLost {
  wire::AttemptId attempt;
  std::string sentence;
};
struct Said {  // a line for the log of the job
  wire::AttemptId attempt;
  std::string line;
};
struct Reading {  // cumulative figures; counts and rates of `figures` only, the core adds the rest
  wire::AttemptId attempt;
  wire::WorkflowProgress figures;
  SharedBytes fast;
  SharedBytes exact;  // empty: none in this reading
};
struct Ended {  // all processes have ended
  wire::AttemptId attempt;
  std::string error;  // empty, unless it failed by itself: what was ordered is no error
  SharedBytes body;   // results::Recorded; empty: it did not start
  wire::Sha256 digest{};
  std::vector<wire::ContextValue> context_updates;
  std::uint64_t requests = 0;
  bool partial = false;
};

// --- actions: the cluster
struct Answer {
  Ticket ticket;
  wire::JobAnswer answer;
};
struct Send {
  SendId id;
  wire::NodeIdentity to;
  wire::JobQuestion question;
};
// The worker drains, nothing runs, and no result waits here.
struct Drained {};
struct Note {  // a line for the log of the node
  std::string text;
};

// --- actions: an attempt
struct ReadContent {  // check it against the digest and decode it; fetch it first if it is empty
  wire::AttemptId attempt;
  wire::Sha256 digest{};
  std::uint64_t bytes = 0;
  SharedBytes content;
  wire::NodeIdentity from;  // who has it
};
struct FetchBlobs {
  wire::AttemptId attempt;
  std::vector<wire::BlobName> blobs;
};
struct Resolve {  // the names of hosts in its plan
  wire::AttemptId attempt;
};
struct Prepare {
  wire::AttemptId attempt;
  std::shared_ptr<const wire::DispatchContent> content;
  std::vector<CoreIndex> cores;
};
struct Start {
  wire::AttemptId attempt;
  MonoTime at;
  Duration from_elapsed{};
  std::vector<wire::ContextValue> values;
  std::vector<wire::NumberedChange> changes;  // so far, in order
};
struct Change {  // the adapter skips one that the share cannot do now, and reports it with Said
  wire::AttemptId attempt;
  wire::NumberedChange change;
};
struct Stop {  // gracefully
  wire::AttemptId attempt;
};
struct Kill {
  wire::AttemptId attempt;
};
// The leader has the exact state of this number; the next delta begins there. 0: send the whole.
struct ExactHeld {
  wire::AttemptId attempt;
  std::uint64_t through = 0;
};

}  // namespace hyperscale::worker

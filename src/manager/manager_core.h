// ManagerCore: the manager of one datacenter, as a core without I/O (base/core.h). It accepts jobs, queues them, places
// their shares on workers, starts them together, merges their results and places again what a lost worker had.
//
// Every decision is journalled, and its effects are held until the journal has it (jobs/journal/journal.h). The core
// does nothing new before Owns and after Loses. It leads each of its jobs under an epoch of the election's term.
//
// It works by levels, not by edges: an event changes what is known, then advance() does for each job what is due now.
// So the order in which answers, reports and records arrive decides nothing. Questions are repeated until they are
// answered; no answer is never taken for "not done": a share moves only after its old attempt is fenced.
//
// Invariants (CHECK, mostly in the parts): no dispatch whose Provisioned is not committed; no layer before the
// LayerSync of the one before; reserved cores at most the total of a worker; each instant of a share counted from one
// attempt at most; a terminal job never changes. Bounded by kJobsMax, kQueuedJobsMax, kWorkersMax, kFetchesMax.
//
// One thread. `entropy` outlives the core: it chooses workers; the adapter passes the system's generator.
#pragma once

#include "base/core.h"
#include "base/prng.h"
#include "election/fencing_token.h"
#include "jobs/journal/held_actions.h"
#include "manager/fetch_queue.h"
#include "manager/job_queue.h"
#include "manager/led_job.h"
#include "manager/manager_events.h"
#include "manager/question_book.h"
#include "manager/worker_pool.h"
#include "wire/entropy_source.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hyperscale::manager {

inline constexpr std::size_t kJobsMax = 20'000;     // with those that have ended and are kept
inline constexpr Duration kStartLead = 200ms;       // from the order to the common start
inline constexpr Duration kReadyPatience = 30s;     // from the acceptance of a dispatch
inline constexpr Duration kDispatchPatience = 20s;  // for the answer to a dispatch or a start
inline constexpr Duration kDispatchTimeout = 300s;  // for a worker that takes a share
inline constexpr Duration kQueueTimeout = 1h;
inline constexpr Duration kCancelPatience = 10s;    // for the end of a cancelled share
inline constexpr Duration kTeardownPatience = 60s;  // of a job that is cancelled or has timed out
inline constexpr Duration kHoldOff = 1s;            // of a worker that refused or did not answer
inline constexpr Duration kFetchDelay = 1s;         // before a result is fetched again
inline constexpr Duration kStoreDelay = 5s;         // before a result is stored again
inline constexpr std::uint32_t kStoreTriesMax = 5;
inline constexpr Duration kCompletedKept = 300s;
inline constexpr Duration kFailedKept = 3600s;

class ManagerCore {
 public:
  using Event =
      std::variant<Submitted, CancelAsked, Answered, AskFailed, Progressed, Reported, Finished, CancelQueried,
                   WorkerSeen, WorkerDown, Journalled, BlobStored, ResultFetched, ShareMerged, ResultStored, Tick>;
  using Action = std::variant<Journal, StoreBlob, Ask, Reply, SubmitAnswer, CancelAnswer, FetchResult, MergeShare,
                              DropFigures, StoreResult, Push, DropJob, Note>;

  struct Config {
    wire::NodeIdentity self;
    // Pure functions: the one encoding of a content, and SHA-256.
    std::function<SharedBytes(const wire::DispatchContent&)> encode_content;
    std::function<wire::Sha256(ByteView)> sha256;
  };

  ManagerCore(Config config, wire::EntropySource& entropy, Prng jitter);

  Actions<Action> step(const Event& event, MonoTime now);

  bool owns() const { return term_.has_value(); }
  // Whether progress of this attempt may be folded into the figures of its job.
  bool counts(const wire::AttemptId& attempt) const;
  // A dispatch content that a worker fetches, because it was too large for the dispatch.
  std::optional<SharedBytes> content(const wire::AttemptId& attempt) const;

  const LedJob* find(std::string_view job) const;
  std::uint32_t queue_position(std::string_view job) const { return queue_.position_of(job); }
  std::size_t jobs() const { return jobs_.size(); }
  std::size_t queued() const { return queue_.size(); }
  const WorkerPool& pool() const { return pool_; }
  const FetchQueue& fetches() const { return fetches_; }
  std::size_t questions() const { return questions_.size(); }

 private:
  // --- events
  void handle(const Submitted& event);
  void handle(const CancelAsked& event);
  void handle(const Answered& event);
  void handle(const AskFailed& event);
  void handle(const Progressed& event);
  void handle(const Reported& event);
  void handle(const Finished& event);
  void handle(const CancelQueried& event);
  void handle(const WorkerSeen& event);
  void handle(const WorkerDown& event);
  void handle(const Journalled& event);
  void handle(const BlobStored& event);
  void handle(const ResultFetched& event);
  void handle(const ShareMerged& event);
  void handle(const ResultStored& event);
  void handle(const Tick& event);

  // --- manager_core.cpp
  void settle();
  void advance(LedJob& job);
  void admit();
  void touch(const std::string& job) { touched_.insert(job); }
  void touch_all() { touched_.insert(active_.begin(), active_.end()); }
  LedJob* job_of(std::string_view id);
  Share* share_of(const wire::AttemptId& attempt);

  // --- manager_submissions.cpp
  void answer_submit(RequestId request, const LedJob& job);
  void answer_cancel(RequestId request, const LedJob& job);
  void end_early(LedJob& job, Ending::Kind kind, std::string reason);
  void close(LedJob& job);
  void over(LedJob& job, JobState state, std::string reason);
  void remove(const std::string& id);
  void abandon(const LedJob& job, const std::string& why);
  void erase(const std::string& id);
  void enter(LedJob& job, JobState state, std::string reason = {});
  void keep_time(LedJob& job);

  // --- manager_journal.cpp
  jobs::Ticket decide(LedJob& job, jobs::Record record, SharedBytes blob = {});
  void hold(jobs::Ticket ticket, Action action) { held_.hold(ticket, std::move(action)); }
  void flush(LedJob& job);
  void journal_says(const jobs::Committed& event);
  void journal_says(const jobs::Appended& event);
  void journal_says(const jobs::Refused& event);
  void journal_says(const jobs::KeyKnown& event);
  void journal_says(const jobs::Unknown& event);
  void journal_says(const jobs::Owns& event);
  void journal_says(const jobs::Loses& event);
  void apply(LedJob& job, const jobs::Record& record);
  void refuse(LedJob& job, jobs::Ticket ticket, const Error& error, const std::string& original);
  void emit_released(Action action);
  bool is_right(const Action& action) const;
  LedJob* writer_of(jobs::Ticket ticket);
  // The values as a record has them, and the bytes of the blob if they are one.
  Result<std::pair<jobs::RecordedValues, SharedBytes>> recorded(const std::vector<wire::ContextValue>& values) const;

  // --- manager_stages.cpp
  void advance_stage(LedJob& job);
  void begin_stage(LedJob& job);
  void add_shares(LedJob& job, const std::vector<PlacedShare>& placed);
  void end_stage(LedJob& job);
  void go(LedJob& job);
  std::uint32_t cores_of_first_stage(LedJob& job) const;

  // --- manager_runs.cpp
  void advance_run(LedJob& job, std::uint32_t index);
  void run_setup(LedJob& job, std::uint32_t index);
  void prepare(LedJob& job, std::uint32_t index);
  void start(LedJob& job, std::uint32_t index);
  void run_steps(LedJob& job, std::uint32_t index);
  void store(LedJob& job, std::uint32_t index);
  void merged(LedJob& job, const jobs::WorkflowMerged& record);
  void run_teardown(LedJob& job, std::uint32_t index);
  void enter(LedJob& job, WorkflowRun& run, RunPhase phase);
  void not_run(LedJob& job, std::uint32_t index, std::string why);

  // --- manager_shares.cpp
  void advance_shares(LedJob& job);
  // What a pass over the shares of a job collects.
  struct Pass {
    std::vector<Share*> to_provision;
    std::map<std::string, std::vector<wire::ShareId>> to_stop;  // by worker
    std::optional<std::vector<Room>> rooms;
  };
  void advance_share(LedJob& job, Share& share, Pass& pass);
  void place(LedJob& job, Share& share, Pass& pass);
  void provision(LedJob& job, const std::vector<Share*>& shares);
  void start_share(LedJob& job, Share& share);
  void stop_share(LedJob& job, Share& share, Pass& pass);
  void lose(LedJob& job, Share& share, std::string why, bool blames);
  void close_share(LedJob& job, Share& share, std::string error);
  void share_ended(LedJob& job, Share& share);
  bool may_provision(const LedJob& job, const Share& share) const;
  bool stops(const LedJob& job, const Share& share) const;
  wire::WorkflowDispatch dispatch_of(const LedJob& job, const Share& share) const;
  wire::DispatchContent content_of(const LedJob& job, const Share& share) const;
  wire::AttemptId attempt_id(const LedJob& job, const Share& share) const;

  // --- manager_answers.cpp
  void ask(const std::string& worker, wire::JobQuestion message, MonoTime give_up_at = MonoTime::max());
  void send(QuestionId id, const Question& question);
  void given_up(const Question& question);
  bool answered(const Question& question, const wire::JobAnswer& answer);
  bool dispatch_answered(const wire::WorkflowDispatch& dispatch, const wire::WorkflowDispatchAck& ack);
  bool start_answered(const wire::WorkflowStart& start, const wire::OrderAck& ack);
  bool cancel_answered(const wire::WorkflowCancelRequest& request, const wire::WorkflowCancelResponse& response);
  void drop_questions(const wire::AttemptId& attempt);

  // --- manager_reports.cpp
  void attempt_reports(LedJob& job, Share& share, const wire::WorkflowEvent& event);
  void fail_workflow(LedJob& job, std::uint32_t index, const std::string& why);
  std::optional<wire::NodeIdentity> leader() const;
  wire::ReportAck report_ack(const LedJob* job, const Share* share) const;

  // --- manager_results.cpp
  void collect(LedJob& job, Share& share);
  void pump_fetches();
  void release_result(const Share& share, const wire::AttemptId& attempt);

  const Config config_;
  wire::EntropySource& entropy_;
  Prng jitter_;
  MonoTime now_;
  std::optional<wire::Term> term_;
  std::optional<election::FencingTokens> tokens_;
  std::map<std::string, LedJob, std::less<>> jobs_;
  std::set<std::string> active_;                     // jobs that do something: neither queued nor over
  std::set<std::string> touched_;                    // in this step
  std::multimap<MonoTime, std::string> kept_until_;  // jobs that are over
  std::map<jobs::Ticket, std::string> tickets_;      // jobs by their decisions
  std::uint64_t last_ticket_ = 0;
  std::size_t accepting_ = 0;  // jobs that are promised a place in the queue
  JobQueue queue_;
  WorkerPool pool_;
  QuestionBook questions_;
  FetchQueue fetches_;
  jobs::HeldActions<Action> held_;
  Actions<Action> out_;  // of the current step
};

static_assert(Core<ManagerCore>);

}  // namespace hyperscale::manager

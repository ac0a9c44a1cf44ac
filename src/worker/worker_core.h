// WorkerCore: the shares of one worker node. It decides which dispatches to take, owns their cores, keeps their
// results, and reports to the managers that lead their jobs. It stands above ShareMachine (src/jobs), which runs the
// executors of one share: the adapter owns one per Prepare and turns Start, Change, Stop and Kill into its events. It
// follows base/core.h; after each step() the owner schedules a Tick at next_wake().
//
// A dispatch passes, in this order: boot id, term, fence (fence_table.h), draining, room for its result, its content,
// cores. What it is answered is repeated for every repeat of it. A higher fence first ends the older attempt; its
// processes must be gone before the new one begins.
//
// Invariants, checked after every step: cores of attempts + free cores = cores of the node; one attempt per share,
// whose fence is the newest of the share, or it is ending; every attempt that was accepted has a place on the shelf; a
// result leaves the shelf only by ResultRelease or the end of its job. One thread.
#pragma once

#include "base/core.h"
#include "worker/attempt.h"
#include "worker/core_map.h"
#include "worker/fence_table.h"
#include "worker/orphan_guard.h"
#include "worker/report_queue.h"
#include "worker/result_shelf.h"
#include "worker/worker_events.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hyperscale::worker {

// Repeats of one dispatch that wait for its answer; more are answered kNotReady: ask again.
inline constexpr std::size_t kTicketsWaitingMax = 64;

class WorkerCore {
 public:
  using Event = std::variant<Asked, Acked, Unanswered, ManagerUp, ManagerDown, LeaderHeard, Draining, Tick, ContentRead,
                             BlobsReady, Resolved, Prepared, Refused, Begun, ExecutorLost, Said, Reading, Ended>;
  using Action = std::variant<Answer, Send, Drained, Note, ReadContent, FetchBlobs, Resolve, Prepare, Start, Change,
                              Stop, Kill, ExactHeld>;

  explicit WorkerCore(const WorkerSetup& setup);

  Actions<Action> step(const Event& event, MonoTime now);
  // max(): nothing is due.
  MonoTime next_wake() const;

  // For heartbeats and status.
  const CoreMap& cores() const { return cores_; }
  const ResultShelf& shelf() const { return shelf_; }
  std::size_t attempts() const { return attempts_.size(); }
  bool draining() const { return draining_; }
  // Rises with every change of attempts, cores or results.
  std::uint64_t version() const { return version_; }
  wire::WorkerAnswer snapshot(const std::string& job, MonoTime now) const;

 private:
  // A dispatch that was admitted, and who waits for its answer.
  struct Waiting {
    wire::WorkflowDispatch dispatch;
    wire::NodeIdentity from;
    std::vector<Ticket> tickets;
  };
  struct Here {
    Attempt attempt;
    std::vector<Ticket> tickets = {};       // while its content is read
    std::optional<Waiting> successor = {};  // of a higher fence, until the processes of this one are gone
    wire::Refusal refused_as = wire::Refusal::kNone;
    std::string refused_why = {};
    std::uint64_t exact_through = 0;
    bool lost_any = false;
    bool begun = false;  // kStarted was reported
  };
  using Attempts = std::map<wire::ShareId, Here>;

  // worker_core.cpp
  void handle(const Asked& event, MonoTime now);
  void handle(const ManagerUp& event, MonoTime now);
  void handle(const ManagerDown& event, MonoTime now);
  void handle(const LeaderHeard& event, MonoTime now);
  void handle(const Draining& event, MonoTime now);
  void question(const Asked& asked, const wire::WorkerQuery& query, MonoTime now);
  void question(const Asked& asked, const wire::ResultFetch& fetch, MonoTime now);
  void question(const Asked& asked, const wire::ResultRelease& release, MonoTime now);
  template <typename Other>
  void question(const Asked& asked, const Other& other, MonoTime now);
  void check() const;
  Here* find(const wire::AttemptId& attempt);
  void answer(Ticket ticket, wire::JobAnswer answer);
  void note(std::string text);
  bool has_attempts_of(const std::string& job) const;
  MonoTime over_at(const std::string& job) const;
  void forget_if_over(const std::string& job);

  // dispatching.cpp: from a dispatch to ready
  void question(const Asked& asked, const wire::WorkflowDispatch& dispatch, MonoTime now);
  void handle(const ContentRead& event, MonoTime now);
  void handle(const BlobsReady& event, MonoTime now);
  void handle(const Resolved& event, MonoTime now);
  void handle(const Prepared& event, MonoTime now);
  void handle(const Refused& event, MonoTime now);
  void wait_for_answer(const wire::AttemptId& attempt, Ticket ticket);
  void supersede(Here& older, Waiting waiting, MonoTime now);
  void begin(Waiting waiting, MonoTime now);
  void decide(const wire::WorkflowDispatchAck& ack, const std::vector<Ticket>& tickets);
  std::string sender_text(wire::Refusal refusal) const;
  wire::WorkflowDispatchAck refusal_of(const wire::AttemptId& attempt, wire::Refusal refusal, std::string why,
                                       wire::Fence known) const;

  // orders.cpp: start, change, cancel
  void question(const Asked& asked, const wire::WorkflowStart& start, MonoTime now);
  void question(const Asked& asked, const wire::WorkflowChange& change, MonoTime now);
  void question(const Asked& asked, const wire::WorkflowCancelRequest& request, MonoTime now);
  template <typename Order>
  Here* heed(const Asked& asked, const Order& order, wire::OrderAck& ack, MonoTime now);
  wire::OrderAck taken(const Here& here, MonoTime now) const;
  void cancel(Here& here, const wire::WorkflowCancelRequest& request, MonoTime now);
  void cancel(Here& here, EndCause cause, bool whole_job, MonoTime now);

  // endings.cpp: reports of a running attempt, and its end
  void handle(const Begun& event, MonoTime now);
  void handle(const ExecutorLost& event, MonoTime now);
  void handle(const Said& event, MonoTime now);
  void handle(const Reading& event, MonoTime now);
  void handle(const Ended& event, MonoTime now);
  void handle(const Acked& event, MonoTime now);
  void handle(const Unanswered& event, MonoTime now);
  void handle(const Tick& event, MonoTime now);
  void look_at(Here& here, MonoTime now);
  void end_job(const std::string& job, MonoTime now);
  void end(Here& here, EndCause cause, MonoTime now);
  void refuse(Here& here, wire::Refusal refusal, std::string why, MonoTime now);
  void give(Here& here, Attempt::Order order);
  void finish(const wire::AttemptId& attempt, const Ended& ended, MonoTime now);
  void finish_unaccepted(const Here& over, MonoTime now);
  void finish_refused(Here& over, MonoTime now);
  void keep_result(Here& over, const Ended& ended, MonoTime now);
  void report(const Here& here, wire::AttemptEvent event, std::string text, MonoTime now);
  void report_begun(Here& here, Duration late_by, MonoTime now);
  wire::ShareProgress progress_of(const Here& here, wire::WorkflowProgress figures, MonoTime now) const;
  MonoTime stop_at(const Here& here) const;
  MonoTime wake_of(const Here& here) const;

  const std::uint64_t one_result_bytes_max_;
  CoreMap cores_;
  FenceTable fences_;
  ResultShelf shelf_;
  OrphanGuard guard_;
  ReportQueue reports_;
  Attempts attempts_;
  std::uint64_t version_ = 0;
  MonoTime now_;  // of the last step
  bool draining_ = false;
  bool drained_ = false;
  std::vector<Action> out_;  // of the current step
};

static_assert(Core<WorkerCore>);

}  // namespace hyperscale::worker

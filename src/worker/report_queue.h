// ReportQueue: what a worker sends about its attempts, to whom, when, and how often.
//
//   events, final results   in order, each repeated until a leader accepts it or the attempt is superseded
//   progress                the newest replaces (PROG-BUF-1), paced by the pressure that the acks signal; while an
//   attempt
//                           lives at least every kKeepAlive, without figures: its ack says that the leader still acts
//   CancelQuery             every kCancelPoll while the attempt lives, every kKeptPoll while its result is kept
//
// One question of each kind is under way per attempt. Who does not accept is followed by the next manager of
// LeaderTable at once; after a round without success comes a pause, drawn from [0, kRepeatFirst * 2^rounds), at most
// kRepeatMax (AD-21, full jitter). A manager that accepts under a lower epoch than the job's is not believed.
//
// Thread rule: one owner; time is passed in. Bounded by the owner's attempts; lines of scripts by kLinesWaitingMax per
// attempt, above which they are dropped and counted in the next one.
#pragma once

#include "base/prng.h"
#include "base/time.h"
#include "wire/jobs/job_message.h"
#include "worker/leader_table.h"
#include "worker/worker_events.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::worker {

inline constexpr Duration kProgressInterval = 100ms;  // at most one message per attempt
inline constexpr Duration kProgressFlush = 50ms;      // to it the delay of an ack is added (PROG-FLUSH-1)
inline constexpr Duration kProgressDelayMax = 10s;    // more than this is not obeyed
inline constexpr Duration kBatchInterval = 1s;
inline constexpr Duration kKeepAlive = 5s;  // also at kReject, where figures are discarded
inline constexpr Duration kCancelPoll = 5s;
inline constexpr Duration kKeptPoll = 60s;
inline constexpr Duration kRepeatFirst = 500ms;
inline constexpr Duration kRepeatMax = 5s;
inline constexpr std::size_t kLinesWaitingMax = 64;

class ReportQueue {
 public:
  explicit ReportQueue(std::uint64_t seed) : prng_(seed) {}

  // `first` is sent until there are figures.
  void open(const wire::ShareProgress& first, const wire::NodeIdentity& leader, MonoTime now);
  // These four: REQUIRES: open. Numbers and sequences are set here; nothing follows finish() or refuse().
  void event(wire::WorkflowEvent event);
  void progress(wire::ShareProgress progress);
  void finish(const wire::WorkflowFinalResult& result);
  void refuse(const wire::AttemptId& attempt);  // no result will come: closes when all events are accepted
  void close(const wire::AttemptId& attempt);   // harmless if it is not open
  bool is_open(const wire::AttemptId& attempt) const { return boxes_.contains(attempt); }
  bool empty() const { return boxes_.empty(); }
  bool has_job(const std::string& job) const;
  std::vector<std::string> jobs() const;
  std::size_t refused() const { return refused_; }  // that have not closed
  // Closes all of the job; returns how many of them were refused.
  std::size_t end_job(const std::string& job);

  // This leader gave an order.
  void led_by(const std::string& job, const wire::NodeIdentity& leader, std::uint64_t epoch, MonoTime now);
  void manager_up(const wire::NodeIdentity& manager, MonoTime now);
  void manager_down(const wire::NodeAddress& manager) { leaders_.manager_down(manager); }
  void group_leader(const wire::NodeIdentity& leader, MonoTime now);

  struct Heard {
    wire::AttemptId attempt;
    std::uint64_t epoch = 0;  // of the leader, if it accepted
    bool accepted = false;    // by a leader that acts
    bool job_known = false;   // to some manager
    bool cancelled = false;
    bool closed = false;                              // refuse(), and all is accepted
    std::optional<wire::Fence> superseded_by = {};    // a higher fence of its share is known
    std::optional<std::uint64_t> exact_through = {};  // of an accepted progress
  };
  // None: not under way, or of an attempt that was closed meanwhile.
  std::optional<Heard> acked(SendId id, const wire::JobAnswer& answer, MonoTime now);
  void unanswered(SendId id, MonoTime now);

  // What is to be sent now.
  std::vector<Send> due(MonoTime now);
  // max(): nothing. Valid after due().
  MonoTime next_wake() const { return wake_; }

 private:
  enum class Kind : std::uint8_t { kReport, kProgress, kPoll };
  struct Delivery {
    bool under_way = false;
    std::uint32_t tries = 0;  // since the last success
    MonoTime due;
    MonoTime sent_at;
  };
  struct Box {
    std::deque<wire::WorkflowEvent> events;  // not accepted yet
    std::uint32_t numbers = 0;               // of events so far
    std::size_t lines = 0;                   // of them notes
    std::uint32_t lines_dropped = 0;
    std::optional<wire::WorkflowFinalResult> result;  // not accepted yet
    wire::ShareProgress progress;                     // the newest
    bool is_fresh = false;                            // its figures were not sent yet
    std::uint64_t sequence = 0;                       // of progress messages so far
    bool is_over = false;                             // finish() or refuse()
    bool is_refused = false;
    Delivery report, figures, poll;
  };
  struct Under {
    wire::AttemptId attempt;
    Kind kind = Kind::kReport;
    wire::NodeIdentity to;
  };
  struct Pace {
    wire::Pressure pressure = wire::Pressure::kNone;
    Duration delay{};
  };

  Box& box(const wire::AttemptId& attempt);
  static Delivery& delivery(Box& box, Kind kind);
  // When the next question of this kind is due; max(): none.
  static MonoTime due_of(const Box& box, Kind kind);
  wire::JobQuestion question(const wire::AttemptId& attempt, Box& box, Kind kind) const;
  Duration interval(const std::string& job) const;
  static bool has_reports(const Box& box) { return !box.events.empty() || box.result.has_value(); }
  static Duration poll_interval(const Box& box) { return box.is_over ? kKeptPoll : kCancelPoll; }
  void hear(const wire::ProgressAck& ack, const Under& under, Box& box, Heard& heard, MonoTime now);
  void hear(const wire::ReportAck& ack, const Under& under, Box& box, Heard& heard, MonoTime now);
  void hear(const wire::CancelQueryAnswer& answer, const Under& under, Box& box, Heard& heard, MonoTime now);
  bool believe(const Under& under, bool accepted, const wire::Fence& known,
               const std::optional<wire::NodeIdentity>& leader, std::uint64_t epoch, Heard& heard, MonoTime now);
  void named(const std::string& job, const wire::NodeIdentity& leader, std::uint64_t epoch, MonoTime now);
  void try_next(const Under& under, Box& box, MonoTime now);
  void succeeded(const Under& under, Box& box, MonoTime now);
  // What failed to `job` (empty: any) is tried at once.
  void hurry(const std::string& job, MonoTime now);

  std::map<wire::AttemptId, Box> boxes_;
  std::map<SendId, Under> under_way_;
  std::map<std::string, Pace> paces_;  // by job
  LeaderTable leaders_;
  Prng prng_;
  std::uint64_t sent_ = 0;
  std::size_t refused_ = 0;
  MonoTime wake_ = MonoTime::max();
};

}  // namespace hyperscale::worker

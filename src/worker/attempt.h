// Attempt: the state of one attempt at a share, from its dispatch until its processes have ended.
//
//   reading -> fetching -> resolving -> launching -> ready -> started      stages; on the wire the first four are
//   kPreparing
//      \___________\____________\___________\__________\________\____ ending (an EndCause) -> over
//
// Names a dispatch's content, blobs, host names and executors in the order in which they are prepared. It also holds
// the numbered changes of the load, the time without pauses, and the limits: kPrepareMax until ready, the execution
// timeout, the patience of a cancel. Processes exist from launching on. WorkerCore carries out what it decides.
//
// Thread rule: one owner; time is passed in. Invariants (CHECK): stages only advance, by one; it starts only when
// ready; Kill is ordered once. A stronger cause replaces a weaker one, never the reverse.
#pragma once

#include "base/time.h"
#include "jobs/active_time.h"
#include "wire/jobs/dispatch.h"
#include "wire/jobs/worker_reports.h"
#include "wire/node_identity.h"
#include "worker/core_map.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::worker {

inline constexpr Duration kPrepareMax = 10min;      // from the dispatch until ready
inline constexpr Duration kCancelPatience = 1s;     // between stop and kill
inline constexpr Duration kActionPatience = 30s;    // the same for a setup or teardown that is stopped gracefully
inline constexpr Duration kTeardownPatience = 30s;  // for a teardown that runs when its job is cancelled
inline constexpr Duration kElapsedMax = 24h * 365;  // a longer timeout is none

// In rising strength.
enum class EndCause : std::uint8_t {
  kNone,
  kStop,    // requested: what ends in time counts
  kOrphan,  // no manager
  kTimeout,
  kCancel,
  kKill,
  kRefused,     // it cannot run here: reported as an event, without a result
  kSuperseded,  // a higher fence of its share is known
};

class Attempt {
 public:
  enum class Stage : std::uint8_t { kReading, kFetching, kResolving, kLaunching, kReady, kStarted };
  enum class Order : std::uint8_t { kNone, kStop, kKill };  // what its processes are to be told
  using Content = std::shared_ptr<const wire::DispatchContent>;

  Attempt(const wire::WorkflowDispatch& dispatch, const wire::NodeIdentity& from, MonoTime now);

  const wire::AttemptId& id() const { return id_; }
  const std::string& job() const { return id_.share.job; }
  const wire::NodeIdentity& from() const { return from_; }
  Stage stage() const { return stage_; }
  EndCause cause() const { return cause_; }
  bool started() const { return stage_ == Stage::kStarted; }
  bool ending() const { return cause_ != EndCause::kNone; }
  bool has_processes() const { return stage_ >= Stage::kLaunching; }
  const std::vector<CoreIndex>& cores() const { return cores_; }
  const Content& content() const { return content_; }  // null while reading
  Duration from_elapsed() const { return from_elapsed_; }
  const std::vector<wire::NumberedChange>& changes() const { return changes_; }
  std::uint32_t last_change() const { return changes_.empty() ? 0 : changes_.back().number; }
  // Since the start of the workflow, without pauses; zero before.
  Duration elapsed(MonoTime now) const;
  wire::AttemptState state(MonoTime now) const;

  // REQUIRES: the stage before.
  void accept(Content content, std::vector<CoreIndex> cores);  // to kFetching
  void advance(Stage stage);
  void start(MonoTime at);

  struct ChangeVerdict {
    wire::Refusal refusal = wire::Refusal::kNone;
    std::string why;
    bool is_new = false;  // not a repeat
  };
  ChangeVerdict change(const wire::NumberedChange& change, MonoTime now);

  // Ends it. Repeating it is harmless; a stronger cause may shorten the patience.
  Order end(EndCause cause, MonoTime now);
  // Lets it finish by itself within the patience.
  void end_by_itself(EndCause cause, Duration patience, MonoTime now);
  // When the patience of end() is over: the order to kill, once.
  Order order_due(MonoTime now);
  // How it ended. `error`: what its processes reported; on return set exactly if it failed.
  wire::AttemptEnd end_as(std::string& error) const;
  // The execution timeout as text, for its error.
  std::string timeout_text() const;

  // max(): not waiting for it.
  MonoTime ready_until() const;
  MonoTime times_out_at(MonoTime now) const;
  MonoTime kill_at() const { return kill_at_; }

 private:
  Order kill();
  Duration patience_of(EndCause cause) const;
  void follow(const wire::NumberedChange& change, MonoTime at);

  const wire::AttemptId id_;
  const wire::NodeIdentity from_;
  const wire::Sha256 digest_;
  const Duration from_elapsed_;
  const MonoTime dispatched_at_;
  std::vector<wire::NumberedChange> changes_;
  Content content_;
  std::vector<CoreIndex> cores_;
  Stage stage_ = Stage::kReading;
  EndCause cause_ = EndCause::kNone;
  MonoTime started_at_;
  jobs::ActiveTime active_;
  MonoTime kill_at_ = MonoTime::max();
  bool stop_ordered_ = false;
  bool kill_ordered_ = false;
};

}  // namespace hyperscale::worker

// The order in which a node stops, as a pure state machine: events in, actions out.
//
//   kRunning --ShutdownRequested--> kPreDrain --done or its deadline--> kDraining --all tasks exited--> kStopped
//                                       |                                  | deadline or second request    ^
//                                       +-------- second request -------> kAborting --all exited or grace--+
//
// - Without a pre-drain deadline the machine goes straight to kDraining.
// - kDraining starts with SignalStop, StopIngress, RefuseNewWork. The work queue is closed once ingress has confirmed
//   that it accepts no more, so no accepted work is refused. Workers then finish the queue and confirm.
// - The metrics server is stopped last, after any aborts, and Exit is always the last action.
// - Every state but kRunning and kStopped has a timer, so the machine stops even without any answer. An adapter that
//   gets SetTimer sends Tick at that time; a later SetTimer replaces the earlier one. Early ticks are ignored.
// - Events without a meaning in a state are ignored, so repeating one is harmless.
// - /readyz answers 503 in every state but kRunning: adapters call ReadinessGraph::set_draining() before they execute
//   the first action.
//
// Exit.clean: nothing was aborted and the queue was confirmed empty. Workers confirm before they exit, so QueueDrained
// precedes AllTasksExited. AllTasksExited speaks of every task but the metrics server.
// Thread rule: one owner. Failure: none; bad limits are a bug (CHECK), the configuration has clamped them before.
#pragma once

#include "base/core.h"
#include "base/time.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace hyperscale::runtime {

struct DrainLimits {
  Duration drain_deadline = 3s;
  Duration drain_deadline_max = 5s;
  Duration abort_grace = 500ms;
  Duration pre_drain_deadline = 0s;  // zero: no pre-drain phase
};

// The numbers are the values of the gauge drain_state.
enum class DrainState : std::uint8_t { kRunning = 0, kPreDrain = 1, kDraining = 2, kAborting = 3, kStopped = 4 };

std::string_view name(DrainState state);

namespace drain {

// Events.
struct ShutdownRequested {
  std::string reason;
};
struct SecondRequest {};     // second signal of the operator: abort now
struct PreDrainDone {};      // duties are handed over
struct IngressConfirmed {};  // no listener accepts any more
struct QueueDrained {};      // the workers finished everything that was queued
struct TaskExited {
  std::string name;
};
struct AllTasksExited {};
struct Tick {};

// Actions.
struct RunPreDrain {
  MonoTime deadline;
};
struct SignalStop {};     // set the shutdown watch to true
struct StopIngress {};    // close the listeners, then send IngressConfirmed
struct RefuseNewWork {};  // the overlay answers 503 to new work
struct CloseWorkQueue {};
struct SetTimer {
  MonoTime at;
};
struct AbortStragglers {};
struct StopMetrics {};
struct Exit {
  bool clean;
};

}  // namespace drain

using DrainEvent =
    std::variant<drain::ShutdownRequested, drain::SecondRequest, drain::PreDrainDone, drain::IngressConfirmed,
                 drain::QueueDrained, drain::TaskExited, drain::AllTasksExited, drain::Tick>;
using DrainAction =
    std::variant<drain::RunPreDrain, drain::SignalStop, drain::StopIngress, drain::RefuseNewWork, drain::CloseWorkQueue,
                 drain::SetTimer, drain::AbortStragglers, drain::StopMetrics, drain::Exit>;

std::string to_string(const DrainAction& action);  // for logs and traces: "set-timer 3000000000"

class DrainMachine {
 public:
  using Event = DrainEvent;
  using Action = DrainAction;

  // REQUIRES: 0 < drain_deadline <= drain_deadline_max, 0 < abort_grace, 0 <= pre_drain_deadline.
  explicit DrainMachine(DrainLimits limits = {});

  Actions<DrainAction> step(const DrainEvent& event, MonoTime now);

  DrainState state() const { return state_; }
  const std::string& reason() const { return reason_; }  // of the first request; empty while running
  int tasks_exited() const { return tasks_exited_; }     // since the shutdown was requested

 private:
  using Out = Actions<DrainAction>;

  void on(const drain::ShutdownRequested& request, MonoTime now, Out& out);
  void on(const drain::SecondRequest&, MonoTime now, Out& out);
  void on(const drain::PreDrainDone&, MonoTime now, Out& out);
  void on(const drain::IngressConfirmed&, MonoTime now, Out& out);
  void on(const drain::QueueDrained&, MonoTime now, Out& out);
  void on(const drain::TaskExited&, MonoTime now, Out& out);
  void on(const drain::AllTasksExited&, MonoTime now, Out& out);
  void on(const drain::Tick&, MonoTime now, Out& out);

  void begin_draining(MonoTime now, Out& out);
  void begin_aborting(MonoTime now, Out& out);
  void stop(bool clean, Out& out);
  void close_intake(Out& out);
  void close_queue(Out& out);
  void arm(MonoTime at, Out& out);

  DrainLimits limits_;
  DrainState state_ = DrainState::kRunning;
  std::string reason_;
  MonoTime timer_at_ = MonoTime::max();
  bool queue_closed_ = false;
  bool queue_drained_ = false;
  int tasks_exited_ = 0;
};

}  // namespace hyperscale::runtime

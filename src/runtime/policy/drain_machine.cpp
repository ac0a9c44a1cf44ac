#include "runtime/policy/drain_machine.h"

#include "base/check.h"

#include <fmt/format.h>

namespace hyperscale::runtime {

static_assert(Core<DrainMachine>);

std::string_view name(DrainState state) {
  switch (state) {
    case DrainState::kRunning:
      return "running";
    case DrainState::kPreDrain:
      return "pre-drain";
    case DrainState::kDraining:
      return "draining";
    case DrainState::kAborting:
      return "aborting";
    case DrainState::kStopped:
      return "stopped";
  }
  UNREACHABLE("drain state {}", static_cast<int>(state));
}

namespace {

struct Describe {
  std::string operator()(const drain::RunPreDrain& run) const {
    return fmt::format("run-pre-drain {}", run.deadline.ns());
  }
  std::string operator()(const drain::SignalStop&) const { return "signal-stop"; }
  std::string operator()(const drain::StopIngress&) const { return "stop-ingress"; }
  std::string operator()(const drain::RefuseNewWork&) const { return "refuse-new-work"; }
  std::string operator()(const drain::CloseWorkQueue&) const { return "close-work-queue"; }
  std::string operator()(const drain::SetTimer& timer) const { return fmt::format("set-timer {}", timer.at.ns()); }
  std::string operator()(const drain::AbortStragglers&) const { return "abort-stragglers"; }
  std::string operator()(const drain::StopMetrics&) const { return "stop-metrics"; }
  std::string operator()(const drain::Exit& exit) const { return exit.clean ? "exit clean" : "exit unclean"; }
};

}  // namespace

std::string to_string(const DrainAction& action) {
  return std::visit(Describe{}, action);
}

DrainMachine::DrainMachine(DrainLimits limits) : limits_(limits) {
  CHECK(limits.drain_deadline > Duration::zero() && limits.drain_deadline <= limits.drain_deadline_max,
        "drain deadline {} ns, at most {} ns", limits.drain_deadline.count(), limits.drain_deadline_max.count());
  CHECK(limits.abort_grace > Duration::zero(), "abort grace {} ns", limits.abort_grace.count());
  CHECK(limits.pre_drain_deadline >= Duration::zero(), "pre-drain deadline {} ns", limits.pre_drain_deadline.count());
}

Actions<DrainAction> DrainMachine::step(const DrainEvent& event, MonoTime now) {
  Out out;
  std::visit([&](const auto& kind) { on(kind, now, out); }, event);
  return out;
}

void DrainMachine::on(const drain::ShutdownRequested& request, MonoTime now, Out& out) {
  if (state_ != DrainState::kRunning) return;
  reason_ = request.reason;
  if (limits_.pre_drain_deadline == Duration::zero()) return begin_draining(now, out);
  state_ = DrainState::kPreDrain;
  const MonoTime deadline = now + limits_.pre_drain_deadline;
  out.push_back(drain::RunPreDrain{deadline});
  arm(deadline, out);
}

void DrainMachine::on(const drain::SecondRequest&, MonoTime now, Out& out) {
  if (state_ == DrainState::kPreDrain) close_intake(out);
  if (state_ == DrainState::kPreDrain || state_ == DrainState::kDraining) begin_aborting(now, out);
}

void DrainMachine::on(const drain::PreDrainDone&, MonoTime now, Out& out) {
  if (state_ == DrainState::kPreDrain) begin_draining(now, out);
}

void DrainMachine::on(const drain::IngressConfirmed&, MonoTime, Out& out) {
  if (state_ == DrainState::kDraining) close_queue(out);
}

void DrainMachine::on(const drain::QueueDrained&, MonoTime, Out&) {
  // An open queue may be empty, but it is not drained: more can come.
  if (state_ == DrainState::kDraining && queue_closed_) queue_drained_ = true;
}

void DrainMachine::on(const drain::TaskExited&, MonoTime, Out&) {
  if (state_ != DrainState::kRunning && state_ != DrainState::kStopped) ++tasks_exited_;
}

void DrainMachine::on(const drain::AllTasksExited&, MonoTime, Out& out) {
  if (state_ == DrainState::kDraining) return stop(queue_drained_, out);
  if (state_ == DrainState::kAborting) return stop(false, out);
}

void DrainMachine::on(const drain::Tick&, MonoTime now, Out& out) {
  if (now < timer_at_) return;
  switch (state_) {
    case DrainState::kPreDrain:
      return begin_draining(now, out);
    case DrainState::kDraining:
      return begin_aborting(now, out);
    case DrainState::kAborting:
      return stop(false, out);
    case DrainState::kRunning:
    case DrainState::kStopped:
      return;
  }
}

void DrainMachine::begin_draining(MonoTime now, Out& out) {
  state_ = DrainState::kDraining;
  close_intake(out);
  arm(now + limits_.drain_deadline, out);
}

void DrainMachine::begin_aborting(MonoTime now, Out& out) {
  state_ = DrainState::kAborting;
  // Workers that merely wait for more work leave by themselves once the queue is closed.
  close_queue(out);
  out.push_back(drain::AbortStragglers{});
  arm(now + limits_.abort_grace, out);
}

void DrainMachine::stop(bool clean, Out& out) {
  state_ = DrainState::kStopped;
  timer_at_ = MonoTime::max();
  close_queue(out);
  out.push_back(drain::StopMetrics{});
  out.push_back(drain::Exit{clean});
}

void DrainMachine::close_intake(Out& out) {
  out.push_back(drain::SignalStop{});
  out.push_back(drain::StopIngress{});
  out.push_back(drain::RefuseNewWork{});
}

void DrainMachine::close_queue(Out& out) {
  if (queue_closed_) return;
  queue_closed_ = true;
  out.push_back(drain::CloseWorkQueue{});
}

void DrainMachine::arm(MonoTime at, Out& out) {
  timer_at_ = at;
  out.push_back(drain::SetTimer{at});
}

}  // namespace hyperscale::runtime

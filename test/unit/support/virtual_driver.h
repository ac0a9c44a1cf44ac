// VirtualDriver: runs a Core in virtual time, for tests. Hours of timeouts take microseconds and every run is the same.
//
//   VirtualDriver<Lease> driver{Lease()};
//   driver.on_action([](const Lease::Action& action, auto& d) { d.at(action.wake_at, Lease::Event{false}); });
//   driver.after(10ms, Lease::Event{true});
//   driver.run_until(MonoTime() + 1h);
//   EXPECT_EQ(driver.trace().size(), 1);
//
// Events due at the same time run in the order in which they were scheduled. Each action is recorded with its time,
// then shown to the hook, which may schedule or cancel events (also at the current time). Single-threaded. Scheduling
// into the past and running more than kVirtualStepsMax events in one run_until() (a core that keeps waking itself) fail
// a CHECK.
#pragma once

#include "base/check.h"
#include "base/core.h"
#include "base/strong_type.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hyperscale {

inline constexpr std::size_t kVirtualStepsMax = 10'000'000;

using ScheduledId = StrongId<struct ScheduledIdTag>;

template <Core C>
class VirtualDriver {
 public:
  using Event = typename C::Event;
  using Action = typename C::Action;
  using Hook = std::function<void(const Action&, VirtualDriver&)>;

  struct Traced {
    MonoTime time;
    Action action;
  };

  explicit VirtualDriver(C core, MonoTime start = MonoTime()) : core_(std::move(core)), now_(start) {}
  VirtualDriver(const VirtualDriver&) = delete;
  VirtualDriver& operator=(const VirtualDriver&) = delete;

  void on_action(Hook hook) { hook_ = std::move(hook); }

  ScheduledId at(MonoTime time, Event event) {
    CHECK(time >= now_, "an event for {} ns at {} ns", time.ns(), now_.ns());
    const ScheduledId id(next_id_++);
    schedule_.emplace(std::pair(time, id), std::move(event));
    return id;
  }
  ScheduledId after(Duration delay, Event event) { return at(now_ + delay, std::move(event)); }

  // False when the event has run already or was cancelled before.
  bool cancel(ScheduledId id) {
    return std::erase_if(schedule_, [&](const auto& entry) { return entry.first.second == id; }) > 0;
  }

  // Runs every event due up to and at `time`, leaves the clock there, and returns how many ran.
  std::size_t run_until(MonoTime time) {
    CHECK(time >= now_, "to {} ns at {} ns", time.ns(), now_.ns());
    std::size_t steps = 0;
    while (!schedule_.empty() && schedule_.begin()->first.first <= time) {
      CHECK(++steps <= kVirtualStepsMax, "the core keeps scheduling itself at {} ns", now_.ns());
      auto due = schedule_.extract(schedule_.begin());
      now_ = due.key().first;
      run(due.mapped());
    }
    now_ = time;
    return steps;
  }

  MonoTime now() const { return now_; }
  C& core() { return core_; }
  const C& core() const { return core_; }
  bool idle() const { return schedule_.empty(); }
  const std::vector<Traced>& trace() const { return trace_; }

  // Equal for equal traces: a run that is repeated with the same seed must give the same value. Needs an Action that
  // fmt can format, or a function std::string to_string(const Action&) beside it that contains everything relevant.
  std::uint64_t trace_hash() const {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a: std::hash may differ between libraries
    for (const Traced& traced : trace_) {
      for (const char c : fmt::format("{} {}\n", traced.time.ns(), describe(traced.action))) {
        hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
      }
    }
    return hash;
  }

 private:
  static std::string describe(const Action& action) {
    if constexpr (fmt::is_formattable<Action>::value) {
      return fmt::format("{}", action);
    } else {
      return to_string(action);
    }
  }

  void run(const Event& event) {
    for (Action& action : core_.step(event, now_)) {
      // A copy goes to the trace; the hook must not hold a reference into a vector that grows.
      trace_.push_back({now_, action});
      if (hook_) hook_(action, *this);
    }
  }

  C core_;
  MonoTime now_;
  std::uint64_t next_id_ = 0;
  std::map<std::pair<MonoTime, ScheduledId>, Event> schedule_;
  std::vector<Traced> trace_;
  Hook hook_;
};

}  // namespace hyperscale

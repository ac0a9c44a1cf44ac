#include "runtime/policy/drain_machine.h"

#include "base/prng.h"
#include "virtual_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr MonoTime kStart = MonoTime::from_ns(0);
constexpr DrainLimits kWithPreDrain{.pre_drain_deadline = 1s};

std::vector<std::string> texts(const Actions<DrainAction>& actions) {
  std::vector<std::string> out;
  for (const DrainAction& action : actions) out.push_back(to_string(action));
  return out;
}

// Drives the machine with the timers that it asks for, and lets a test decide who answers.
class World {
 public:
  explicit World(DrainLimits limits = {}) : driver_(DrainMachine(limits), kStart) {
    driver_.on_action([this](const DrainAction& action, auto& driver) {
      if (const auto* timer = std::get_if<drain::SetTimer>(&action)) {
        if (timer_) driver.cancel(*timer_);
        timer_ = driver.at(timer->at, drain::Tick{});
      }
      if (std::holds_alternative<drain::StopIngress>(action) && ingress_answers_after)
        driver.after(*ingress_answers_after, drain::IngressConfirmed{});
      if (std::holds_alternative<drain::CloseWorkQueue>(action) && queue_drains_after)
        driver.after(*queue_drains_after, drain::QueueDrained{});
      if (std::holds_alternative<drain::CloseWorkQueue>(action) && tasks_exit_after)
        driver.after(*tasks_exit_after, drain::AllTasksExited{});
      if (std::holds_alternative<drain::AbortStragglers>(action) && stragglers_exit_after)
        driver.after(*stragglers_exit_after, drain::AllTasksExited{});
    });
  }

  // "time_ms action" lines; timers are left out, they are asserted through what they cause.
  std::vector<std::string> run(MonoTime until = kStart + 1min) {
    driver_.run_until(until);
    std::vector<std::string> lines;
    for (const auto& traced : driver_.trace()) {
      if (std::holds_alternative<drain::SetTimer>(traced.action)) continue;
      lines.push_back(fmt::format("{} {}", traced.time.ms(), to_string(traced.action)));
    }
    return lines;
  }

  VirtualDriver<DrainMachine>& driver() { return driver_; }
  DrainState state() const { return driver_.core().state(); }

  std::optional<Duration> ingress_answers_after;
  std::optional<Duration> queue_drains_after;
  std::optional<Duration> tasks_exit_after;
  std::optional<Duration> stragglers_exit_after;

 private:
  VirtualDriver<DrainMachine> driver_;
  std::optional<ScheduledId> timer_;
};

TEST(DrainMachine, ACleanDrainRunsInTheDocumentedOrder) {
  World world;
  world.ingress_answers_after = 10ms;
  world.queue_drains_after = 500ms;
  world.tasks_exit_after = 600ms;
  world.driver().at(kStart + 100ms, drain::ShutdownRequested{"SIGTERM"});
  EXPECT_THAT(world.run(), ElementsAre("100 signal-stop", "100 stop-ingress", "100 refuse-new-work",
                                       "110 close-work-queue", "710 stop-metrics", "710 exit clean"));
  EXPECT_EQ(world.state(), DrainState::kStopped);
  EXPECT_EQ(world.driver().core().reason(), "SIGTERM");
}

// The queue stays open until ingress has confirmed: work that was accepted is not turned away.
// proves: NODE-SAFE-1
TEST(DrainMachine, TheQueueIsClosedOnlyAfterIngressConfirmed) {
  DrainMachine machine;
  machine.step(drain::ShutdownRequested{"test"}, kStart);
  EXPECT_THAT(machine.step(drain::QueueDrained{}, kStart + 1ms), IsEmpty()) << "an open queue is not drained";
  EXPECT_THAT(texts(machine.step(drain::IngressConfirmed{}, kStart + 2ms)), ElementsAre("close-work-queue"));
  EXPECT_THAT(machine.step(drain::IngressConfirmed{}, kStart + 3ms), IsEmpty());
  EXPECT_THAT(texts(machine.step(drain::AllTasksExited{}, kStart + 4ms)), ElementsAre("stop-metrics", "exit unclean"));
}

TEST(DrainMachine, PreDrainComesFirstWhenConfigured) {
  DrainMachine machine(kWithPreDrain);
  EXPECT_THAT(texts(machine.step(drain::ShutdownRequested{"test"}, kStart)),
              ElementsAre("run-pre-drain 1000000000", "set-timer 1000000000"));
  EXPECT_EQ(machine.state(), DrainState::kPreDrain);
  EXPECT_THAT(texts(machine.step(drain::PreDrainDone{}, kStart + 200ms)),
              ElementsAre("signal-stop", "stop-ingress", "refuse-new-work", "set-timer 3200000000"));
  EXPECT_EQ(machine.state(), DrainState::kDraining);
}

TEST(DrainMachine, DrainingStartsAnywayWhenPreDrainTakesTooLong) {
  World world(kWithPreDrain);
  world.driver().at(kStart, drain::ShutdownRequested{"test"});
  world.driver().run_until(kStart + 999ms);
  EXPECT_EQ(world.state(), DrainState::kPreDrain);
  world.driver().run_until(kStart + 1s);
  EXPECT_EQ(world.state(), DrainState::kDraining);
}

// Intake is closed at once and what is in flight has the default deadline of 3 s; then stragglers are aborted.
// proves: NODE-SHUT-3, NODE-SAFE-1, NODE-TEST-2
// proves part: NODE-INV-6 (a node outside of a cluster; not its config watcher)
TEST(DrainMachine, AbortsStragglersAtDeadlineMetricsLast) {
  World world;
  world.ingress_answers_after = 0ms;
  world.stragglers_exit_after = 20ms;
  world.driver().at(kStart, drain::ShutdownRequested{"test"});
  world.driver().run_until(kStart + 2999ms);
  EXPECT_EQ(world.state(), DrainState::kDraining);
  EXPECT_THAT(world.run(), ElementsAre("0 signal-stop", "0 stop-ingress", "0 refuse-new-work", "0 close-work-queue",
                                       "3000 abort-stragglers", "3020 stop-metrics", "3020 exit unclean"));
}

TEST(DrainMachine, StopsEvenIfNothingEverAnswers) {
  World world(kWithPreDrain);
  world.driver().at(kStart, drain::ShutdownRequested{"test"});
  EXPECT_THAT(world.run(),
              ElementsAre("0 run-pre-drain 1000000000", "1000 signal-stop", "1000 stop-ingress", "1000 refuse-new-work",
                          "4000 close-work-queue", "4000 abort-stragglers", "4500 stop-metrics", "4500 exit unclean"));
  EXPECT_TRUE(world.driver().idle());
}

TEST(DrainMachine, ASecondRequestWhileDrainingAbortsAtOnce) {
  World world;
  world.driver().at(kStart, drain::ShutdownRequested{"test"});
  world.driver().at(kStart + 50ms, drain::SecondRequest{});
  world.driver().at(kStart + 60ms, drain::SecondRequest{});
  EXPECT_THAT(world.run(), ElementsAre("0 signal-stop", "0 stop-ingress", "0 refuse-new-work", "50 close-work-queue",
                                       "50 abort-stragglers", "550 stop-metrics", "550 exit unclean"));
}

TEST(DrainMachine, SecondRequestInPreDrainClosesIntakeFirst) {
  DrainMachine machine(kWithPreDrain);
  machine.step(drain::ShutdownRequested{"test"}, kStart);
  EXPECT_THAT(texts(machine.step(drain::SecondRequest{}, kStart + 1ms)),
              ElementsAre("signal-stop", "stop-ingress", "refuse-new-work", "close-work-queue", "abort-stragglers",
                          "set-timer 501000000"));
  EXPECT_EQ(machine.state(), DrainState::kAborting);
}

TEST(DrainMachine, EarlyTicksAreIgnored) {
  DrainMachine machine;
  EXPECT_THAT(machine.step(drain::Tick{}, kStart + 1h), IsEmpty());
  machine.step(drain::ShutdownRequested{"test"}, kStart + 1h);
  EXPECT_THAT(machine.step(drain::Tick{}, kStart + 1h + 3s - 1ns), IsEmpty());
  EXPECT_THAT(texts(machine.step(drain::Tick{}, kStart + 1h + 3s)),
              ElementsAre("close-work-queue", "abort-stragglers", "set-timer 3603500000000"));
}

TEST(DrainMachine, CountsTheTasksThatLeft) {
  DrainMachine machine;
  machine.step(drain::TaskExited{"crashed earlier"}, kStart);
  EXPECT_EQ(machine.tasks_exited(), 0);
  machine.step(drain::ShutdownRequested{"test"}, kStart);
  machine.step(drain::TaskExited{"ingress"}, kStart);
  machine.step(drain::TaskExited{"worker-1"}, kStart);
  EXPECT_EQ(machine.tasks_exited(), 2);
}

// Every event that a state has no use for, row by row.
class IgnoredEvent : public ::testing::TestWithParam<std::tuple<DrainState, DrainEvent>> {
 protected:
  static DrainMachine in(DrainState state) {
    DrainMachine machine(state == DrainState::kPreDrain ? kWithPreDrain : DrainLimits{});
    if (state == DrainState::kRunning) return machine;
    machine.step(drain::ShutdownRequested{"first"}, kStart);
    if (state == DrainState::kAborting || state == DrainState::kStopped) machine.step(drain::SecondRequest{}, kStart);
    if (state == DrainState::kStopped) machine.step(drain::AllTasksExited{}, kStart);
    return machine;
  }
};

TEST_P(IgnoredEvent, ChangesNothing) {
  const auto& [state, event] = GetParam();
  DrainMachine machine = in(state);
  ASSERT_EQ(machine.state(), state);
  EXPECT_THAT(texts(machine.step(event, kStart)), IsEmpty());
  EXPECT_EQ(machine.state(), state);
  if (state != DrainState::kRunning) EXPECT_EQ(machine.reason(), "first");
}

template <typename... Events>
auto rows(DrainState state, Events... events) {
  return ::testing::Combine(::testing::Values(state), ::testing::Values(DrainEvent(events)...));
}

// State comes from the suite's prefix.
std::string event_name(const ::testing::TestParamInfo<std::tuple<DrainState, DrainEvent>>& info) {
  constexpr std::array kNames = {"shutdown_requested", "second_request", "pre_drain_done",   "ingress_confirmed",
                                 "queue_drained",      "task_exited",    "all_tasks_exited", "tick"};
  static_assert(kNames.size() == std::variant_size_v<DrainEvent>);
  return kNames.at(std::get<1>(info.param).index());
}

using namespace drain;
INSTANTIATE_TEST_SUITE_P(Running, IgnoredEvent,
                         rows(DrainState::kRunning, SecondRequest{}, PreDrainDone{}, IngressConfirmed{}, QueueDrained{},
                              TaskExited{"t"}, AllTasksExited{}, Tick{}),
                         event_name);
INSTANTIATE_TEST_SUITE_P(PreDrain, IgnoredEvent,
                         rows(DrainState::kPreDrain, ShutdownRequested{"again"}, IngressConfirmed{}, QueueDrained{},
                              TaskExited{"t"}, AllTasksExited{}, Tick{}),
                         event_name);
INSTANTIATE_TEST_SUITE_P(Draining, IgnoredEvent,
                         rows(DrainState::kDraining, ShutdownRequested{"again"}, PreDrainDone{}, QueueDrained{},
                              TaskExited{"t"}, Tick{}),
                         event_name);
INSTANTIATE_TEST_SUITE_P(Aborting, IgnoredEvent,
                         rows(DrainState::kAborting, ShutdownRequested{"again"}, SecondRequest{}, PreDrainDone{},
                              IngressConfirmed{}, QueueDrained{}, TaskExited{"t"}, Tick{}),
                         event_name);
INSTANTIATE_TEST_SUITE_P(Stopped, IgnoredEvent,
                         rows(DrainState::kStopped, ShutdownRequested{"again"}, SecondRequest{}, PreDrainDone{},
                              IngressConfirmed{}, QueueDrained{}, TaskExited{"t"}, AllTasksExited{}, Tick{}),
                         event_name);

DrainEvent random_event(Prng& prng) {
  switch (prng.below(7)) {
    case 0:
      return ShutdownRequested{"random"};
    case 1:
      return SecondRequest{};
    case 2:
      return PreDrainDone{};
    case 3:
      return IngressConfirmed{};
    case 4:
      return QueueDrained{};
    case 5:
      return TaskExited{"t"};
    default:
      return AllTasksExited{};
  }
}

int position_of(const std::vector<std::string>& lines, std::string_view action) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find(action) != std::string::npos) return static_cast<int>(i);
  }
  return -1;
}

// Whatever happens and in whatever order: it stops in time, does everything once, and keeps the order.
TEST(DrainMachine, AnyEventsInAnyOrderStopInTimeAndInOrder) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Prng prng(seed);
    World world(prng.below(2) == 0 ? kWithPreDrain : DrainLimits{});
    for (int i = 0; i < 12; ++i) world.driver().at(kStart + prng.between(1ns, 6s), random_event(prng));
    world.driver().at(kStart, ShutdownRequested{"first"});
    const std::vector<std::string> lines = world.run(kStart + 4500ms);
    RC_ASSERT(world.state() == DrainState::kStopped);
    int previous = -1;
    for (const char* step :
         {"signal-stop", "stop-ingress", "refuse-new-work", "close-work-queue", "stop-metrics", "exit"}) {
      const int position = position_of(lines, step);
      RC_ASSERT(position > previous);
      previous = position;
    }
    RC_ASSERT(previous + 1 == static_cast<int>(lines.size()));
    const int abort = position_of(lines, "abort-stragglers");
    if (abort >= 0) {
      RC_ASSERT((abort > position_of(lines, "close-work-queue") && abort < position_of(lines, "stop-metrics")));
      RC_ASSERT(lines.back().ends_with("exit unclean"));
    }
    const auto once = std::set<std::string>(lines.begin(), lines.end());
    RC_ASSERT(once.size() == lines.size());
  }));
}

// proves: NODE-SHUT-3
TEST(DrainMachineDeathTest, ADeadlineAboveTheMaximumIsABug) {
  EXPECT_DEATH(DrainMachine({.drain_deadline = 5s + 1ns}), "drain deadline");
  EXPECT_DEATH(DrainMachine({.drain_deadline = 0s}), "drain deadline");
  EXPECT_DEATH(DrainMachine({.abort_grace = 0s}), "abort grace");
  DrainMachine longest({.drain_deadline = 5s});
  EXPECT_EQ(longest.state(), DrainState::kRunning);
}

}  // namespace
}  // namespace hyperscale::runtime

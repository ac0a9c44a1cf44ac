#include "virtual_driver.h"

#include "base/prng.h"

#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale {
namespace {

using testing::ElementsAre;

// Probes every second once started, and gives up when three answers in a row stay away.
class Prober {
 public:
  struct Start {};
  struct Tick {};
  struct Answer {};
  using Event = std::variant<Start, Tick, Answer>;

  struct SendProbe {};
  struct SetTimer {
    Duration delay;
  };
  struct GiveUp {};
  using Action = std::variant<SendProbe, SetTimer, GiveUp>;

  Actions<Action> step(const Event& event, MonoTime) {
    if (std::holds_alternative<Answer>(event)) {
      missed_ = 0;
      return {};
    }
    if (std::holds_alternative<Tick>(event) && ++missed_ == 3) return {GiveUp{}};
    return {SendProbe{}, SetTimer{1s}};
  }

  int missed() const { return missed_; }

 private:
  int missed_ = 0;
};

std::string to_string(const Prober::Action& action) {
  if (const auto* timer = std::get_if<Prober::SetTimer>(&action)) return fmt::format("timer {}", timer->delay.count());
  return std::holds_alternative<Prober::GiveUp>(action) ? "give up" : "probe";
}

using ProberDriver = VirtualDriver<Prober>;

void timers_become_ticks(const Prober::Action& action, ProberDriver& driver) {
  if (const auto* timer = std::get_if<Prober::SetTimer>(&action)) driver.after(timer->delay, Prober::Tick{});
}

TEST(VirtualDriver, HookTurnsTimersIntoEvents) {
  ProberDriver driver{Prober()};
  driver.on_action(timers_become_ticks);
  driver.after(500ms, Prober::Start{});
  driver.run_until(MonoTime() + 1h);
  EXPECT_EQ(driver.now(), MonoTime() + 1h);
  EXPECT_TRUE(driver.idle());
  ASSERT_EQ(driver.trace().size(), 7U);  // three probes, each with a timer, then the end
  EXPECT_EQ(driver.trace().back().time, MonoTime() + 3500ms);
  EXPECT_TRUE(std::holds_alternative<Prober::GiveUp>(driver.trace().back().action));
}

TEST(VirtualDriver, EventsChangeTheCourse) {
  ProberDriver driver{Prober()};
  driver.on_action(timers_become_ticks);
  driver.after(0s, Prober::Start{});
  driver.after(2500ms, Prober::Answer{});
  driver.run_until(MonoTime() + 4s);
  EXPECT_FALSE(driver.idle());
  EXPECT_EQ(driver.core().missed(), 2);
}

struct Recorder {
  using Event = int;
  using Action = int;
  Actions<int> step(const int& event, MonoTime) { return {event}; }
};

std::vector<int> actions_of(const VirtualDriver<Recorder>& driver) {
  std::vector<int> actions;
  for (const auto& traced : driver.trace()) actions.push_back(traced.action);
  return actions;
}

TEST(VirtualDriver, RunsByTimeAndThenByInsertion) {
  VirtualDriver<Recorder> driver{Recorder(), MonoTime::from_ns(100)};
  driver.at(MonoTime::from_ns(300), 4);
  driver.at(MonoTime::from_ns(200), 1);
  driver.at(MonoTime::from_ns(200), 2);
  driver.after(100ns, 3);
  EXPECT_EQ(driver.run_until(MonoTime::from_ns(200)), 3U);  // the border is included
  EXPECT_THAT(actions_of(driver), ElementsAre(1, 2, 3));
  EXPECT_EQ(driver.run_until(MonoTime::from_ns(299)), 0U);
  EXPECT_EQ(driver.run_until(MonoTime::from_ns(300)), 1U);
}

TEST(VirtualDriver, EventAddedForNowRunsAfterTheOnesAlreadyDue) {
  VirtualDriver<Recorder> driver{Recorder()};
  driver.on_action([](int action, VirtualDriver<Recorder>& d) {
    if (action == 1) d.after(0s, 3);
  });
  driver.after(1s, 1);
  driver.after(1s, 2);
  driver.run_until(MonoTime() + 1s);
  EXPECT_THAT(actions_of(driver), ElementsAre(1, 2, 3));
}

TEST(VirtualDriver, CancelledEventsDoNotRun) {
  VirtualDriver<Recorder> driver{Recorder()};
  const ScheduledId first = driver.after(1s, 1);
  driver.after(1s, 2);
  EXPECT_TRUE(driver.cancel(first));
  EXPECT_FALSE(driver.cancel(first));
  driver.run_until(MonoTime() + 2s);
  EXPECT_THAT(actions_of(driver), ElementsAre(2));
}

std::uint64_t hash_of_seeded_run(std::uint64_t seed) {
  Prng prng(seed);
  VirtualDriver<Recorder> driver{Recorder()};
  driver.on_action([&](int action, VirtualDriver<Recorder>& d) {
    if (action < 1'000) d.after(prng.between(0s, 5s), action + 1);
  });
  driver.after(0s, 0);
  driver.run_until(MonoTime() + 24h);
  EXPECT_EQ(driver.trace().size(), 1'001U);
  return driver.trace_hash();
}

TEST(VirtualDriver, TraceHashIsEqualForEqualRunsOnly) {
  EXPECT_EQ(hash_of_seeded_run(1), hash_of_seeded_run(1));
  EXPECT_NE(hash_of_seeded_run(1), hash_of_seeded_run(2));
}

TEST(VirtualDriver, TraceHashUsesToStringWhereFmtCannotFormat) {
  const auto run = [](Duration start) {
    ProberDriver driver{Prober()};
    driver.after(start, Prober::Start{});
    driver.run_until(MonoTime() + 5s);
    return driver.trace_hash();
  };
  EXPECT_EQ(run(1s), run(1s));
  EXPECT_NE(run(1s), run(2s));  // the time of an action is part of the trace
}

TEST(VirtualDriverDeathTest, ThePastIsClosed) {
  VirtualDriver<Recorder> driver{Recorder(), MonoTime::from_ns(100)};
  EXPECT_DEATH(driver.at(MonoTime::from_ns(99), 1), "an event for 99 ns at 100 ns");
  EXPECT_DEATH(driver.run_until(MonoTime::from_ns(99)), "CHECK failed");
}

}  // namespace
}  // namespace hyperscale

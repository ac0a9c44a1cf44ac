#include "runtime/policy/restart_policy.h"

#include "runtime/policy/readiness_graph.h"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000'000);

// proves: NODE-TOP-5
TEST(TaskBackoff, StartsAt100To500MsAndGrowsToTheCap) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const Prng root(seed);
    TaskBackoff task({}, root.stream("ingress"));
    TaskBackoff other({}, root.stream("overlay"));
    MonoTime now = kStart;
    Duration previous{};
    for (int crash = 1; crash <= 12; ++crash) {
      const Duration delay = task.next_delay(now);
      if (crash == 1) RC_ASSERT((delay >= 100ms && delay <= 500ms));
      if (crash > 1 && previous <= 2s) RC_ASSERT(delay > previous);
      RC_ASSERT(delay <= 5s);
      RC_ASSERT(task.crashes() == crash);
      previous = delay;
      now += delay + 10ms;
    }
    RC_ASSERT(previous > 3s);
    // Counted per task: the other one has not crashed yet.
    const Duration first = other.next_delay(now);
    RC_ASSERT((first >= 100ms && first <= 500ms));
  }));
}

// proves: NODE-TOP-5
TEST(TaskBackoff, TheFirstDelayIsAnywhereInItsRange) {
  Duration shortest = 1h;
  Duration longest{};
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Duration delay = TaskBackoff({}, Prng(seed)).next_delay(kStart);
    shortest = std::min<Duration>(shortest, delay);
    longest = std::max<Duration>(longest, delay);
  }
  EXPECT_LT(shortest, 120ms);
  EXPECT_GT(longest, 480ms);
}

// proves: NODE-TOP-5
TEST(TaskBackoff, TasksThatCrashTogetherRestartApart) {
  const Prng root(42);
  TaskBackoff a({}, root.stream("a"));
  TaskBackoff b({}, root.stream("b"));
  int same = 0;
  for (int i = 0; i < 5; ++i) same += a.next_delay(kStart + 1s * i) == b.next_delay(kStart + 1s * i) ? 1 : 0;
  EXPECT_EQ(same, 0);
}

TEST(TaskBackoff, StartsAfreshAfterAMinuteWithoutACrash) {
  TaskBackoff task({}, Prng(1));
  MonoTime now = kStart;
  for (int i = 0; i < 6; ++i) {
    task.next_delay(now);
    now += 5s;
  }
  const MonoTime last_crash = now - 5s;
  EXPECT_GT(task.next_delay(last_crash + 60s - 1ns), 3s);
  EXPECT_EQ(task.crashes(), 7);
  EXPECT_LE(task.next_delay(last_crash + 120s), 500ms);
  EXPECT_EQ(task.crashes(), 1);
}

// proves: NODE-TOP-6
TEST(RestartWindow, FiveRestartsInAMinuteAreFine) {
  RestartWindow window({});
  for (int i = 0; i < 5; ++i) window.on_restart(kStart + 1s * i);
  EXPECT_FALSE(window.degraded(kStart + 5s));
  EXPECT_EQ(window.restarts_in_window(kStart + 5s), 5);
}

// A task that throws six times in a minute, as the supervisor sees it and as /readyz shows it.
// proves: NODE-TOP-6
TEST(RestartWindow, SixthRestartInAMinuteDegradesOneService) {
  ReadinessGraph graph;
  ASSERT_TRUE(graph.add_service("crashing"));
  ASSERT_TRUE(graph.add_service("healthy"));
  RestartWindow crashing({});
  RestartWindow healthy({});
  const auto show = [&](MonoTime now) {
    graph.set_state("crashing", crashing.degraded(now) ? ServiceState::kDegraded : ServiceState::kReady);
    graph.set_state("healthy", healthy.degraded(now) ? ServiceState::kDegraded : ServiceState::kReady);
    return graph.overall();
  };
  TaskBackoff backoff({}, Prng(9));
  MonoTime now = kStart;
  for (int crash = 1; crash <= 6; ++crash) {
    EXPECT_EQ(show(now).state, ServiceState::kReady) << "before restart " << crash;
    now += backoff.next_delay(now);
    crashing.on_restart(now);
  }
  ASSERT_LT(now - kStart, 60s);
  EXPECT_EQ(crashing.restarts_in_window(now), 6);
  const Overall overall = show(now);
  EXPECT_EQ(overall.text(), "degraded");
  EXPECT_THAT(overall.services,
              ElementsAre(Pair("crashing", ServiceState::kDegraded), Pair("healthy", ServiceState::kReady)));
  EXPECT_EQ(show(now + 65s).state, ServiceState::kReady) << "restarting went on and the service recovered";
}

// proves: NODE-TOP-6
TEST(RestartWindow, SixRestartsSpreadOverMoreThanAMinuteAreFine) {
  RestartWindow window({});
  for (int i = 0; i < 30; ++i) {
    window.on_restart(kStart + 12s * i);
    EXPECT_FALSE(window.degraded(kStart + 12s * i));
  }
}

// proves: NODE-TOP-6
TEST(RestartWindow, RecoversFiveSecondsAfterReachingTheLimit) {
  RestartWindow window({});
  for (int i = 0; i < 6; ++i) window.on_restart(kStart + 1s * i);
  // The first restart leaves the window at 60 s; from then on five count.
  EXPECT_EQ(window.restarts_in_window(kStart + 60s - 1ns), 6);
  EXPECT_EQ(window.restarts_in_window(kStart + 60s), 5);
  EXPECT_TRUE(window.degraded(kStart + 60s));
  EXPECT_TRUE(window.degraded(kStart + 65s - 1ns));
  EXPECT_FALSE(window.degraded(kStart + 65s));
}

TEST(RestartWindow, RestartDuringHysteresisExtendsIt) {
  RestartWindow window({});
  for (int i = 0; i < 6; ++i) window.on_restart(kStart + 1s * i);
  window.on_restart(kStart + 60s + 500ms);  // the count is six again until the second restart leaves at 61 s
  EXPECT_TRUE(window.degraded(kStart + 65s));
  EXPECT_TRUE(window.degraded(kStart + 66s - 1ns));
  EXPECT_FALSE(window.degraded(kStart + 66s));
}

// The slow and obvious reading of the rule: at some moment of the last five seconds more than five counted. Restarts
// happen on whole seconds here, so looking every half second misses nothing.
bool degraded_by_definition(const std::vector<MonoTime>& restarts, MonoTime now, const RestartLimits& limits) {
  for (MonoTime moment = now - limits.recovery_hysteresis + 500ms; moment <= now; moment += 500ms) {
    int count = 0;
    for (const MonoTime restart : restarts) count += restart <= moment && moment - restart < limits.window ? 1 : 0;
    if (count > limits.restarts_max) return true;
  }
  return false;
}

TEST(RestartWindow, AgreesWithTheDefinitionAtEverySecond) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Prng prng(seed);
    const RestartLimits limits;
    RestartWindow window(limits);
    std::vector<MonoTime> restarts;
    const std::uint64_t calm = 1 + prng.below(20);
    for (MonoTime now = kStart; now < kStart + 400s; now += 1s) {
      const bool crashes_now = (now - kStart) < 200s && prng.below(calm) == 0;
      if (crashes_now) {
        restarts.push_back(now);
        window.on_restart(now);
      }
      RC_ASSERT(window.degraded(now) == degraded_by_definition(restarts, now, limits));
    }
    RC_ASSERT(!window.degraded(kStart + 400s));
  }));
}

TEST(RestartWindow, MemoryStaysBoundedUnderAStormOfRestarts) {
  RestartWindow window({});
  for (int i = 0; i < 100'000; ++i) window.on_restart(kStart + 1us * i);
  EXPECT_EQ(window.restarts_in_window(kStart + 100ms), static_cast<int>(RestartWindow::kRestartsRememberedMax));
  EXPECT_TRUE(window.degraded(kStart + 60s));
}

}  // namespace
}  // namespace hyperscale::runtime

#include "sim/engine/clock_skew.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::sim {
namespace {

TEST(HostClock, ASlowClockFallsBehindByItsRate) {
  HostClock clock;
  clock.set_rate(SimTime(), -50'000);
  EXPECT_EQ(clock.mono(SimTime() + 100s), MonoTime() + 95s);
  clock.set_rate(SimTime() + 100s, 10'000);
  EXPECT_EQ(clock.mono(SimTime() + 200s), MonoTime() + 196s);
}

TEST(HostClock, WallTimeJumpsAndMonotonicTimeDoesNot) {
  HostClock clock;
  const MonoTime mono = clock.mono(SimTime() + 5s);
  clock.jump_wall(-30s);
  EXPECT_EQ(clock.wall(SimTime() + 5s).ns(), kWallEpochNs - 25'000'000'000);
  EXPECT_EQ(clock.mono(SimTime() + 5s), mono);
}

RC_GTEST_PROP(HostClock, ADeadlineComesAtTheFirstInstantThatReachesIt, ()) {
  HostClock clock;
  const auto base = *rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000);
  const SimTime start = SimTime::from_ns(*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000));
  clock.rebase(start, MonoTime::from_ns(base));
  clock.set_rate(start, *rc::gen::inRange(-kClockRatePpmMax, kClockRatePpmMax + 1));
  const MonoTime due = MonoTime::from_ns(base + *rc::gen::inRange<std::int64_t>(1, 100'000'000'000));
  const SimTime at = clock.when(due, start);
  RC_ASSERT(clock.mono(at) >= due);
  RC_ASSERT((at == start || clock.mono(at - 1ns) < due));
}

}  // namespace
}  // namespace hyperscale::sim

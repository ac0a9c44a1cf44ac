#include "realtime/shutdown_machine.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::realtime {
namespace {

using Action = ShutdownMachine::Action;
using View = ShutdownMachine::View;

constexpr Duration kTick = 16'666'667ns;
MonoTime at(Duration since) {
  return MonoTime::from_ns(5'000'000'000) + since;
}
ShutdownMachine machine() {
  return ShutdownMachine(ShutdownBudget::of(kTick, 100ms));
}

// proves: MURK-SHUT-1, MURK-SHUT-2, MURK-SHUT-9
// proves part: MURK-SHUT-12 (the machine begins once; not that later calls do nothing)
TEST(ShutdownMachine, FourStatesInOrder) {
  ShutdownMachine down = machine();
  EXPECT_EQ(down.state(), LifeState::kRunning);
  EXPECT_EQ(down.step({}, at(0ms)), Action::kWait) << "nothing happens before begin";
  EXPECT_TRUE(down.begin(at(0ms)));
  EXPECT_EQ(down.state(), LifeState::kDraining);
  EXPECT_EQ(down.step({}, at(1ms)), Action::kWait);
  EXPECT_EQ(down.step({.engine_stopped = true}, at(5ms)), Action::kQuiesce);
  EXPECT_EQ(down.state(), LifeState::kQuiescing);
  EXPECT_EQ(down.step({.engine_stopped = true}, at(6ms)), Action::kWait);
  EXPECT_EQ(down.step({.engine_stopped = true, .readers_unpinned = true}, at(12ms)), Action::kJoin);
  EXPECT_EQ(down.state(), LifeState::kDropped);
  EXPECT_EQ(down.step({true, true, false}, at(13ms)), Action::kWait);
  EXPECT_EQ(down.step({true, true, true}, at(15ms)), Action::kDone);
  EXPECT_FALSE(down.begin(at(20ms))) << "dropped stays dropped";
  EXPECT_EQ(down.step({}, at(90ms)), Action::kDone);
  EXPECT_EQ(down.state(), LifeState::kDropped);
  EXPECT_EQ(down.phase_times_ms(), (std::array<std::uint64_t, 3>{5, 7, 3}));
}

// proves: MURK-TEST-19, MURK-SHUT-1, MURK-SHUT-6, MURK-SHUT-9
// proves part: MURK-SHUT-4 (given up after 33 ms; not the commands of a tick that is completed)
TEST(ShutdownMachine, EveryPhaseKeepsItsBudgetWhenNothingEverEnds) {
  ShutdownMachine down = machine();
  down.begin(at(0ms));
  std::vector<std::pair<Action, std::int64_t>> actions;
  for (Duration now = 0ms; now <= 400ms; now += 1ms) {
    const Action action = down.step({}, at(now));
    if (action != Action::kWait) actions.emplace_back(action, now / 1ms);
    if (action == Action::kDone) break;
  }
  // 33.3 ms of drain is seen at 34, two holds later quiesce is over, ten later the joins.
  EXPECT_EQ(actions,
            (std::vector<std::pair<Action, std::int64_t>>{
                {Action::kAbandonTickAndQuiesce, 34}, {Action::kForceUnpinAndJoin, 234}, {Action::kDone, 244}}));
  EXPECT_EQ(down.phase_times_ms(), (std::array<std::uint64_t, 3>{34, 200, 10}));
}

// proves: MURK-SHUT-1
TEST(ShutdownMachine, SlowTicksGetLongerToDrainWithinTheWhole) {
  EXPECT_EQ(ShutdownBudget::of(1ms, 100ms).drain, 33ms);
  EXPECT_EQ(ShutdownBudget::of(30ms, 100ms).drain, 60ms);
  EXPECT_EQ(ShutdownBudget::of(10s, 100ms).total(), 300ms);
  EXPECT_EQ(ShutdownBudget::of(kTick, 1s).total(), 33ms + 2s + 10ms) << "the real bound is told";
}

// proves: MURK-SHUT-1
RC_GTEST_PROP(ShutdownMachineProperty, EndsWithinItsTotalWhateverIsSeen, ()) {
  ShutdownMachine down = machine();
  down.begin(at(0ms));
  LifeState last = down.state();
  Duration now = 0ms;
  for (;;) {
    const View view{*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
    const Action action = down.step(view, at(now));
    RC_ASSERT(down.state() >= last);
    last = down.state();
    if (action == Action::kDone) break;
    now += 1ms;
    RC_ASSERT(now <= 300ms);
  }
}

}  // namespace
}  // namespace hyperscale::realtime

#include "node/local/run_world.h"

#include "load/recording/tally_recorder.h"

#include <cstdlib>
#include <future>
#include <memory>

#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

constexpr load::TallyShape kShape{.steps = 2};

// The tallies of an executor in plain memory.
struct Tallies {
  Tallies() : recorder(memory.get(), kShape) {}
  void record(std::uint16_t step, Duration duration, int times) {
    stream::Sample sample;
    sample.step = step;
    sample.bytes_received = 10;
    sample.duration = duration;
    for (int i = 0; i < times; ++i) recorder.record(sample);
  }
  TallySource source(std::uint32_t executor, std::uint32_t first_step, bool alive = true) const {
    return {.reader = load::TallyReader(memory.get(), kShape),
            .executor = executor,
            .first_step = first_step,
            .steps = 2,
            .alive = alive,
            .memory = memory};
  }

  std::shared_ptr<void> memory{std::calloc(1, load::tally_bytes(kShape)), std::free};
  load::TallyRecorder recorder;
};

// The next moment that satisfies the condition; the world ticks on by itself.
template <typename Condition>
live::RunMoment moment_when(RunWorld& world, const Condition& condition) {
  for (;;) {
    const auto moment = world.observe();
    if (moment && condition(*moment)) return *moment;
  }
}

class RunWorldTest : public testing::Test {
 protected:
  std::unique_ptr<RunWorld> world = std::move(*RunWorld::make({.steps = 4, .executors = 3, .tick_rate_hz = 1000}));
  Tallies first, second;
};

// proves part: UI-4 (terminal, layout, sections, cycling, sums; not a queue of updates: the newest moment is read)
// proves part: UI-7 (figures of executors reach the screen, which never blocks; not by a queue of updates)
TEST_F(RunWorldTest, FoldsTheTalliesOfAllExecutors) {
  first.record(0, 2ms, 5);
  first.record(1, 3ms, 7);
  first.recorder.users_busy(4);
  second.record(0, 2ms, 1);
  world->read({first.source(0, 0), second.source(2, 2)});
  const live::RunMoment moment =
      moment_when(*world, [](const live::RunMoment& m) { return m.steps[2].requests() > 0; });
  EXPECT_EQ(moment.steps[0].requests(), 5U);
  EXPECT_EQ(moment.steps[0].bytes_received, 50U);
  EXPECT_EQ(moment.steps[0].duration_sum_ns, 10'000'000U);
  EXPECT_EQ(moment.steps[1].requests(), 7U);
  EXPECT_EQ(moment.steps[2].requests(), 1U);
  EXPECT_EQ(moment.steps[3].requests(), 0U);
  EXPECT_EQ(moment.executors[0].vus_busy, 4U);
  EXPECT_GE(live::percentile_of(moment.steps[1].durations, 99), 3ms);
}

TEST_F(RunWorldTest, AbsurdTalliesAreBounded) {
  first.record(0, 2ms, 1);
  auto& executor = *static_cast<load::ExecutorCells*>(first.memory.get());
  executor.iterations = executor.dropped = executor.vus_busy = UINT64_MAX;
  world->read({first.source(0, 0), first.source(0, 2), second.source(1, 0)});
  const live::RunMoment moment =
      moment_when(*world, [](const live::RunMoment& m) { return m.steps[0].requests() > 0; });
  EXPECT_EQ(moment.executors[0].iterations, std::uint64_t{1} << 63);
  EXPECT_EQ(moment.executors[0].vus_busy, UINT32_MAX);
}

TEST_F(RunWorldTest, ALargeRunTellsItsExecutorsTogether) {
  world = std::move(*RunWorld::make({.steps = 4, .executors = kRunCellsMax, .tick_rate_hz = 1000}));
  first.record(0, 2ms, 5);
  first.recorder.users_busy(4);
  second.record(0, 2ms, 1);
  second.recorder.users_busy(3);
  world->read({first.source(0, 0), second.source(kRunCellsMax - 1, 0)});
  const live::RunMoment moment =
      moment_when(*world, [](const live::RunMoment& m) { return m.steps[0].requests() > 0; });
  EXPECT_EQ(moment.steps[0].requests(), 6U);
  ASSERT_EQ(moment.executors.size(), 1U);
  EXPECT_EQ(moment.executors[0].vus_busy, 7U);
}

TEST_F(RunWorldTest, AfterATickWhatWasThereBeforeIsSeen) {
  first.record(0, 2ms, 5);
  world->read({first.source(0, 0)});
  std::promise<void> done;
  world->after_a_tick([&] { done.set_value(); });
  done.get_future().wait();
  const auto moment = world->observe();
  ASSERT_TRUE(moment);
  EXPECT_EQ(moment->steps[0].requests(), 5U);
}

TEST_F(RunWorldTest, ADeadExecutorsTalliesStayAndItsUsersDoNot) {
  first.record(0, 1ms, 5);
  first.recorder.users_busy(4);
  second.record(0, 1ms, 2);
  second.recorder.users_busy(1);
  world->read({first.source(0, 0, false), second.source(0, 0)});
  const live::RunMoment moment =
      moment_when(*world, [](const live::RunMoment& m) { return m.steps[0].requests() > 0; });
  EXPECT_EQ(moment.steps[0].requests(), 7U);
  EXPECT_EQ(moment.executors[0].vus_busy, 1U);
}

// proves: UI-3
TEST_F(RunWorldTest, ARateIsToldWhileRequestsCome) {
  world->read({first.source(0, 0)});
  moment_when(*world, [](const live::RunMoment& m) { return m.tick > 2; });
  first.record(0, 1ms, 1'000);
  const live::RunMoment moment =
      moment_when(*world, [](const live::RunMoment& m) { return m.steps[0].requests() == 1'000; });
  EXPECT_GT(moment.steps[0].rate_per_s, 0);
  // The window goes on: what lies behind it no longer counts.
  moment_when(*world, [](const live::RunMoment& m) { return m.steps[0].rate_per_s == 0; });
}

TEST_F(RunWorldTest, ACommandGetsItsTickOrIsStale) {
  const plan::LoadRequest request{{plan::LoadChangeKind::kPause, 0}, "", std::nullopt};
  const auto receipt_of = [&](const plan::LoadRequest& asked) {
    std::promise<realtime::Receipt> promise;
    world->submit(asked, [&](const realtime::Receipt& receipt) { promise.set_value(receipt); });
    return promise.get_future().get();
  };
  EXPECT_TRUE(receipt_of(request).accepted()) << "without a basis nothing is stale";
  const std::uint64_t now = moment_when(*world, [](const live::RunMoment& m) { return m.tick > 20; }).tick;
  plan::LoadRequest old = request;
  old.basis_tick = now - 20;
  const realtime::Receipt refused = receipt_of(old);
  EXPECT_EQ(refused.outcome, realtime::CommandOutcome::kStale);
  EXPECT_EQ(refused.basis_tick, now - 20);
}

}  // namespace
}  // namespace hyperscale::node

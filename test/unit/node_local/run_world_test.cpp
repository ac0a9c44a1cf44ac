#include "node/local/run_world.h"

#include "allocation_count.h"
#include "load/recording/tally_recorder.h"

#include <cstdlib>
#include <memory>
#include <thread>

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
results::Moment moment_when(RunWorld& world, const Condition& condition) {
  results::Moment moment;
  for (;;)
    if (world.observe(moment) && condition(moment)) return moment;
}

class RunWorldTest : public testing::Test {
 protected:
  std::unique_ptr<RunWorld> world = std::move(*RunWorld::make({.steps = 4, .tick_rate_hz = 1000}));
  Tallies first, second;
};

// proves part: UI-4 (terminal, layout, sections, cycling, sums; not a queue of updates: the newest moment is read)
// proves part: UI-7 (figures of executors reach the screen, which never blocks; not by a queue of updates)
TEST_F(RunWorldTest, FoldsTheTalliesOfAllExecutors) {
  first.record(0, 2ms, 5);
  first.record(1, 3ms, 7);
  first.recorder.users_busy(4);
  second.record(0, 2ms, 1);
  second.record(0, 5ms, 1);
  second.recorder.users_busy(3);
  world->read({first.source(0, 0), second.source(2, 2)});
  const auto moment = moment_when(*world, [](const auto& m) { return m.fast.steps[2].requests() > 0; });
  const auto& steps = moment.fast.steps;
  EXPECT_EQ(steps[0].requests(), 5U);
  EXPECT_EQ(steps[0].bytes_received, 50U);
  EXPECT_EQ(steps[0].duration_sum_ns, 10'000'000U);
  EXPECT_EQ(steps[1].requests(), 7U);
  EXPECT_EQ(steps[2].requests(), 2U);
  EXPECT_EQ(steps[2].duration_min_ns_plus_1, 2'000'001U);
  EXPECT_EQ(steps[2].max(), 5ms) << "exact";
  EXPECT_EQ(steps[3].requests(), 0U);
  EXPECT_EQ(moment.fast.share.users, 7U);
  EXPECT_EQ(steps[1].percentile(99), 3ms);
}

TEST_F(RunWorldTest, AbsurdTalliesAreBounded) {
  first.record(0, 2ms, 1);
  auto& executor = *static_cast<load::ExecutorCells*>(first.memory.get());
  executor.iterations = executor.dropped = executor.vus_busy = UINT64_MAX;
  world->read({first.source(0, 0), first.source(0, 2), second.source(1, 0)});
  const auto moment = moment_when(*world, [](const auto& m) { return m.fast.steps[0].requests() > 0; });
  EXPECT_EQ(moment.fast.share.iterations, UINT64_MAX) << "sums stop there";
  EXPECT_EQ(moment.fast.share.users, 2ULL * UINT32_MAX);
}

// proves part: UI-3 (the counts that rates are made of are exact above 2^53; rates: LiveViewBuilderTest)
TEST_F(RunWorldTest, NoCounterBecomesADouble) {
  auto& executor = *static_cast<load::ExecutorCells*>(first.memory.get());
  executor.iterations = (std::uint64_t{1} << 60) + 1;
  world->read({first.source(0, 0)});
  const auto moment = moment_when(*world, [](const auto& m) { return m.fast.share.iterations > 0; });
  EXPECT_EQ(moment.fast.share.iterations, (std::uint64_t{1} << 60) + 1);
}

TEST_F(RunWorldTest, SecondTickFromNowShowsAllThatWasRecorded) {
  first.record(0, 2ms, 5);
  world->read({first.source(0, 0)});
  const std::uint64_t due = world->tick() + 2;
  while (!world->has_reached(due)) std::this_thread::yield();
  results::Moment moment;
  ASSERT_TRUE(world->observe(moment));
  EXPECT_GE(moment.sequence, due);
  EXPECT_EQ(moment.fast.steps[0].requests(), 5U);
}

TEST_F(RunWorldTest, ADeadExecutorsTalliesStayAndItsUsersDoNot) {
  first.record(0, 1ms, 5);
  first.recorder.users_busy(4);
  second.record(0, 1ms, 2);
  second.recorder.users_busy(1);
  world->read({first.source(0, 0, false), second.source(0, 0)});
  const auto moment = moment_when(*world, [](const auto& m) { return m.fast.steps[0].requests() > 0; });
  EXPECT_EQ(moment.fast.steps[0].requests(), 7U);
  EXPECT_EQ(moment.fast.share.users, 1U);
}

TEST_F(RunWorldTest, MomentsSayWhenTheyWereRead) {
  results::Moment moment;
  const MonoTime before = realtime::monotonic_now();
  const std::uint64_t due = world->tick() + 3;
  while (!world->has_reached(due)) std::this_thread::yield();
  const auto read_at = world->observe(moment);
  ASSERT_TRUE(read_at);
  EXPECT_GT(*read_at, before);
  EXPECT_LE(*read_at, realtime::monotonic_now());
}

TEST_F(RunWorldTest, AnObservationAllocatesNothing) {
  first.record(0, 1ms, 5);
  world->read({first.source(0, 0), second.source(1, 2)});
  results::Moment moment = moment_when(*world, [](const auto& m) { return m.fast.steps[0].requests() == 5; });
  const std::uint64_t warm =
      world->tick() + 8;  // each place of the ring has had a moment, and its thread what it needs
  while (!world->has_reached(warm)) std::this_thread::yield();
  const std::size_t before = test::allocation_count(), elsewhere = test::allocation_count_elsewhere();
  for (int i = 0; i < 1'000; ++i) ASSERT_TRUE(world->observe(moment));
  if (!test::counts_allocations()) return;
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_EQ(test::allocation_count_elsewhere(), elsewhere) << "nor does the world, to make its ticks";
}

}  // namespace
}  // namespace hyperscale::node

#include "load/pacing/arrival_schedule.h"

#include "load/pacing/arrival_queue.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::load {
namespace {

std::vector<Arrival> all_of(const plan::Load& load, const plan::Segment& segment, std::uint64_t seed = 1) {
  std::vector<Arrival> out;
  for (ArrivalSchedule schedule(load, segment, seed); schedule.next(); schedule.advance())
    out.push_back(*schedule.next());
  return out;
}

plan::Load rate(double per_s, Duration duration) {
  plan::Load load;
  load.pacing = plan::Pacing::kOpen;
  load.rate_per_s = per_s;
  load.duration = duration;
  return load;
}

TEST(ArrivalSchedule, ConstantRateIsEvenAndExact) {
  const auto arrivals = all_of(rate(2000, 10s), {0, 1, 1, 0, 1});
  ASSERT_EQ(arrivals.size(), 20'000U);
  for (std::size_t i = 0; i < arrivals.size(); ++i)
    ASSERT_EQ(arrivals[i], (Arrival{i, Duration(500'000) * static_cast<std::int64_t>(i)}));
}

RC_GTEST_PROP(ArrivalSchedule, ExecutorsTogetherFollowOneSchedule, ()) {
  plan::Load load = rate(*rc::gen::inRange(1, 500), std::chrono::seconds(*rc::gen::inRange(1, 20)));
  load.poisson = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) load.stages = {{5s, 200}, {0s, 10}, {5s, 0}};
  if (*rc::gen::arbitrary<bool>()) load.iterations = *rc::gen::inRange(1, 300);
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 9);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  std::vector<Arrival> together;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto share = all_of(load, {0, 1, count, i, count}, seed);
    together.insert(together.end(), share.begin(), share.end());
  }
  std::ranges::sort(together, {}, &Arrival::number);
  RC_ASSERT(together == all_of(load, {0, 1, 1, 0, 1}, seed));
}

TEST(ArrivalSchedule, IterationsBoundTheCountedArrivals) {
  plan::Load load = rate(100, 0s);
  load.iterations = 250;
  EXPECT_EQ(all_of(load, {0, 1, 1, 0, 1}).size(), 250U);
  load.warmup = 1s;
  EXPECT_EQ(all_of(load, {0, 1, 1, 0, 1}).size(), 350U) << "those of the warm-up come on top";
}

TEST(ArrivalSchedule, PoissonArrivalsHaveTheRateAndAreIrregular) {
  plan::Load load = rate(1000, 100s);
  load.poisson = true;
  const auto arrivals = all_of(load, {0, 1, 1, 0, 1}, 7);
  EXPECT_NEAR(static_cast<double>(arrivals.size()), 100'000, 5 * std::sqrt(100'000));
  double squares = 0;
  for (std::size_t i = 1; i < arrivals.size(); ++i) {
    const double gap = std::chrono::duration<double>(arrivals[i].at - arrivals[i - 1].at).count() * 1000;
    squares += gap * gap;
  }
  EXPECT_NEAR(squares / static_cast<double>(arrivals.size()), 2.0, 0.1) << "second moment of an exponential gap";
}

TEST(ArrivalSchedule, ASuccessorGoesOnWhereTheLastOneWas) {
  for (const bool poisson : {false, true}) {
    plan::Load load = rate(100, 10s);
    load.poisson = poisson;
    const plan::Segment segment{0, 1, 2, 1, 2};
    const auto whole = all_of(load, segment);
    ArrivalSchedule successor(load, segment, 1);
    successor.skip(123);
    ASSERT_TRUE(successor.next());
    EXPECT_EQ(*successor.next(), whole[123]);
  }
}

TEST(ArrivalQueue, KnowsHowManyWereDueAtATime) {
  ArrivalQueue queue;
  for (std::uint64_t i = 0; i < 100; ++i) queue.push({i, 1ms * i});
  EXPECT_EQ(queue.due_until(-1ms), 0U);
  EXPECT_EQ(queue.due_until(9ms), 10U);
  queue.pop();
  EXPECT_EQ(queue.due_until(9ms), 9U);
  for (int i = 0; i < 50; ++i) queue.pop();
  EXPECT_EQ(queue.due_until(9ms), 0U);
  for (std::uint64_t i = 100; i < 300; ++i) queue.push({i, 1ms * i});
  EXPECT_EQ(queue.due_until(199ms), 149U);
  EXPECT_EQ(queue.due_until(1h), 249U);
}

}  // namespace
}  // namespace hyperscale::load

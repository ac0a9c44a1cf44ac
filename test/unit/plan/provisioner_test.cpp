#include "plan/provisioner.h"

#include "plan/segment.h"

#include <cmath>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {

void PrintTo(const Provision& provision, std::ostream* out) {
  *out << provision.workflow << ' ' << name(provision.priority) << ' ' << provision.threads;
}

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct RangeCase {
  Priority priority;
  std::uint32_t pool;
  ThreadRange range;
};

std::string range_name(const testing::TestParamInfo<RangeCase>& info) {
  return fmt::format("{}_of_{}", name(info.param.priority), info.param.pool);
}

class ThreadRanges : public testing::TestWithParam<RangeCase> {};

// proves: EXEC-PRIO-1
TEST_P(ThreadRanges, FollowTheTable) {
  EXPECT_EQ(threads_of(GetParam().priority, GetParam().pool), GetParam().range);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ThreadRanges,
    testing::Values(RangeCase{Priority::kLow, 24, {1, 6}}, RangeCase{Priority::kLow, 8, {1, 2}},
                    RangeCase{Priority::kNormal, 24, {6, 18}}, RangeCase{Priority::kNormal, 8, {2, 6}},
                    RangeCase{Priority::kHigh, 24, {18, 24}}, RangeCase{Priority::kHigh, 8, {6, 8}},
                    RangeCase{Priority::kExclusive, 24, {24, 24}}, RangeCase{Priority::kExclusive, 8, {8, 8}},
                    RangeCase{Priority::kAuto, 24, {1, 24}}, RangeCase{Priority::kAuto, 8, {1, 8}},
                    // Parts of a core are rounded up; one core is enough for everything.
                    RangeCase{Priority::kLow, 5, {1, 2}}, RangeCase{Priority::kNormal, 5, {2, 4}},
                    RangeCase{Priority::kHigh, 5, {4, 5}}, RangeCase{Priority::kLow, 1, {1, 1}},
                    RangeCase{Priority::kNormal, 1, {1, 1}}, RangeCase{Priority::kHigh, 1, {1, 1}}),
    range_name);

// proves: EXEC-PRIO-1
TEST(ThreadRange, IsTheTableForEveryPool) {
  const auto part = [](std::uint32_t pool, double share) {
    return static_cast<std::uint32_t>(std::ceil(pool * share));
  };
  for (std::uint32_t pool = 1; pool <= 1'000; ++pool) {
    const std::uint32_t quarter = part(pool, 0.25);
    const std::uint32_t most = part(pool, 0.75);
    EXPECT_EQ(threads_of(Priority::kLow, pool), (ThreadRange{1, quarter})) << pool;
    EXPECT_EQ(threads_of(Priority::kNormal, pool), (ThreadRange{quarter, most})) << pool;
    EXPECT_EQ(threads_of(Priority::kHigh, pool), (ThreadRange{most, pool})) << pool;
    EXPECT_EQ(threads_of(Priority::kExclusive, pool), (ThreadRange{pool, pool})) << pool;
    EXPECT_EQ(threads_of(Priority::kAuto, pool), (ThreadRange{1, pool})) << pool;
  }
}

// proves part: HOOK-1 (all, steps as a list; not: step('a', 'b', ...), nor a check or metric of no step)
TEST(PriorityText, IsReadInEitherCaseAndHelpsWithTypos) {
  EXPECT_EQ(*parse_priority("low"), Priority::kLow);
  EXPECT_EQ(*parse_priority("LOW"), Priority::kLow);
  EXPECT_EQ(*parse_priority("normal"), Priority::kNormal);
  EXPECT_EQ(*parse_priority("NORMAL"), Priority::kNormal);
  EXPECT_EQ(*parse_priority("high"), Priority::kHigh);
  EXPECT_EQ(*parse_priority("HIGH"), Priority::kHigh);
  EXPECT_EQ(*parse_priority("exclusive"), Priority::kExclusive);
  EXPECT_EQ(*parse_priority("EXCLUSIVE"), Priority::kExclusive);
  EXPECT_EQ(*parse_priority("auto"), Priority::kAuto);
  EXPECT_EQ(*parse_priority("AUTO"), Priority::kAuto);
  EXPECT_EQ(name(Priority::kNormal), "normal");
  EXPECT_THAT(parse_priority("hihg").error().context, HasSubstr("did you mean \"high\"?"));
  EXPECT_THAT(parse_priority("").error().context, HasSubstr("low, normal, high, exclusive, auto"));
}

std::vector<Batch> provision(std::vector<WorkflowClaim> claims, std::uint32_t pool) {
  return plan::provision(std::span<const WorkflowClaim>(claims), pool);
}

// proves: EXEC-PROV-2, EXEC-PRIO-1
TEST(Provisioner, TheVectorOfTheCatalogue) {
  EXPECT_THAT(
      provision({{"LoadTest", Priority::kHigh, true},
                 {"DataLoad", Priority::kAuto, false},
                 {"Metrics", Priority::kLow, true}},
                24),
      ElementsAre(ElementsAre(Provision{"DataLoad", Priority::kAuto, 0}),
                  ElementsAre(Provision{"LoadTest", Priority::kHigh, 18}, Provision{"Metrics", Priority::kLow, 6})));
}

// proves part: EXEC-PRIO-2 (the default, and the pool in a plan; a run starts no more executors than users)
TEST(Provisioner, AutoIsTheDefaultAndALoneOneGetsThePool) {
  EXPECT_THAT(provision({{.workflow = "Shop"}}, 24), ElementsAre(ElementsAre(Provision{"Shop", Priority::kAuto, 24})));
}

// proves: EXEC-PRIO-4
TEST(Provisioner, WorkflowWithoutTestsRunsOnOneCore) {
  for (const Priority priority :
       {Priority::kLow, Priority::kAuto, Priority::kNormal, Priority::kHigh, Priority::kExclusive}) {
    for (const std::uint32_t pool : {1U, 24U}) {
      const auto batches = provision({{"Setup", priority, false}}, pool);
      EXPECT_THAT(batches, ElementsAre(ElementsAre(Provision{"Setup", priority, 0})));
      EXPECT_EQ(cores_of(batches.front().front()), 1U);
    }
  }
}

// proves part: EXEC-PROV-1 (all but where left-over threads go; not that they go to the highest priority)
TEST(Provisioner, HigherPriorityIsServedFirst) {
  EXPECT_THAT(provision({{"c", Priority::kLow, true},
                         {"b", Priority::kNormal, true},
                         {"a", Priority::kHigh, true},
                         {"x", Priority::kExclusive, true}},
                        8),
              ElementsAre(ElementsAre(Provision{"x", Priority::kExclusive, 8}),
                          ElementsAre(Provision{"a", Priority::kHigh, 6}, Provision{"b", Priority::kNormal, 2}),
                          ElementsAre(Provision{"c", Priority::kLow, 2})));
}

// proves part: EXEC-PROV-1 (all but where left-over threads go; not that they go to the highest priority)
TEST(Provisioner, SharesSpareThreadsEvenlyOddOneByPriority) {
  EXPECT_THAT(provision({{"a", Priority::kAuto, true}, {"b", Priority::kAuto, true}}, 5),
              ElementsAre(ElementsAre(Provision{"a", Priority::kAuto, 3}, Provision{"b", Priority::kAuto, 2})));
  EXPECT_THAT(
      provision({{"auto", Priority::kAuto, true}, {"normal", Priority::kNormal, true}}, 9),
      ElementsAre(ElementsAre(Provision{"normal", Priority::kNormal, 5}, Provision{"auto", Priority::kAuto, 4})));
}

WorkflowClaim any_claim(std::size_t number) {
  return {"w" + std::to_string(number), static_cast<Priority>(*rc::gen::inRange(0, 5)), *rc::gen::arbitrary<bool>()};
}

// proves: EXEC-PROV-3, EXEC-PRIO-5
// proves part: EXEC-PROV-1 (all but where left-over threads go; not that they go to the highest priority)
RC_GTEST_PROP(Provisioner, BatchesFitThePoolAndRangesHold, ()) {
  const auto pool = *rc::gen::inRange<std::uint32_t>(1, 65);
  std::vector<WorkflowClaim> claims;
  for (std::size_t i = *rc::gen::inRange<std::size_t>(0, 12); i > 0; --i) claims.push_back(any_claim(i));
  const auto batches = provision(claims, pool);

  std::size_t seen = 0;
  for (std::size_t at = 0; at < batches.size(); ++at) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < batches[at].size(); ++i) {
      const Provision& each = batches[at][i];
      const auto claim = std::ranges::find(claims, each.workflow, &WorkflowClaim::workflow);
      RC_ASSERT(claim != claims.end());
      RC_ASSERT(each.priority == claim->priority);
      RC_ASSERT((each.threads == 0) == !claim->is_test);
      RC_ASSERT((claim->is_test || at == 0));
      if (i > 0) RC_ASSERT(each.priority <= batches[at][i - 1].priority);
      if (claim->is_test) {
        const ThreadRange range = threads_of(each.priority, pool);
        RC_ASSERT((each.threads >= range.min && each.threads <= range.max));
        if (i > 0) RC_ASSERT(each.threads <= batches[at][i - 1].threads);
        if (each.priority == Priority::kExclusive) RC_ASSERT(batches[at].size() == 1U);
      }
      sum += each.threads;
      ++seen;
    }
    RC_ASSERT(sum <= pool);
    // A batch is closed only when the next one does not fit into it.
    if (at > 0 && batches[at - 1].front().threads > 0 && batches[at - 1].front().priority != Priority::kExclusive) {
      std::uint32_t least = threads_of(batches[at].front().priority, pool).min;
      for (const Provision& each : batches[at - 1]) least += threads_of(each.priority, pool).min;
      RC_ASSERT(least > pool);
    }
    // No thread lies idle that somebody may have.
    if (sum > 0 && sum < pool)
      for (const Provision& each : batches[at]) RC_ASSERT(each.threads == threads_of(each.priority, pool).max);
  }
  RC_ASSERT(seen == claims.size());
}

}  // namespace
}  // namespace hyperscale::plan

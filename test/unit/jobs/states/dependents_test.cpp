#include "jobs/states/dependents.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::jobs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Numbers = std::vector<std::uint32_t>;

plan::Workflow workflow(std::string name, std::vector<std::string> depends) {
  plan::Workflow made;
  made.plan.name = std::move(name);
  made.depends = std::move(depends);
  return made;
}

TEST(Dependents, AreDirectAndTransitive) {
  const Dependents dependents({{}, {0}, {1}, {0, 2}, {}});
  EXPECT_THAT(dependents.of(0), ElementsAre(1, 2, 3));
  EXPECT_THAT(dependents.of(1), ElementsAre(2, 3));
  EXPECT_THAT(dependents.of(3), IsEmpty());
  EXPECT_THAT(dependents.of(4), IsEmpty());
  EXPECT_TRUE(dependents.depends(3, 1));
  EXPECT_FALSE(dependents.depends(1, 3));
}

TEST(Dependents, OfAJobAreFoundByName) {
  const Dependents dependents(
      plan::Job{.name = "shop",
                .workflows = {workflow("Report", {"Validate", "LoadTest"}), workflow("Validate", {"LoadTest"}),
                              workflow("LoadTest", {}), workflow("Setup", {})}});
  EXPECT_EQ(dependents.size(), 4U);
  EXPECT_THAT(dependents.of(2), ElementsAre(0, 1));
  EXPECT_THAT(dependents.of(3), IsEmpty());
}

// proves: WFSM-SCN-6
TEST(Dependents, DependenciesAreQueuedFirst) {
  const Dependents dependents({{}, {0}, {1}});
  EXPECT_THAT(dependents.in_order(Numbers{2, 1, 0}), ElementsAre(0, 1, 2));
  EXPECT_THAT(dependents.in_order(Numbers{2, 0}), ElementsAre(2, 0)) << "only what is given counts";
  EXPECT_THAT(dependents.in_order(Numbers{}), IsEmpty());
}

// proves: WFSM-SCN-7
TEST(Dependents, ACircleKeepsTheGivenOrder) {
  const Dependents dependents({{2}, {0}, {1}, {}});
  EXPECT_THAT(dependents.in_order(Numbers{2, 0, 3, 1}), ElementsAre(2, 0, 3, 1));
  EXPECT_THAT(dependents.of(0), ElementsAre(1, 2));
}

RC_GTEST_PROP(Dependents, OrderIsThatOfAnyGraph, ()) {
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 8);
  std::vector<Numbers> needs(count);
  for (std::uint32_t each = 0; each < count; ++each) {
    for (std::uint32_t before = 0; before < each; ++before) {
      if (*rc::gen::inRange(0, 3) == 0) needs[each].push_back(before);
    }
  }
  const Dependents dependents(needs);
  Numbers all(count);
  std::iota(all.begin(), all.end(), 0U);
  std::reverse(all.begin(), all.end());
  const Numbers ordered = dependents.in_order(all);
  RC_ASSERT(ordered.size() == all.size());
  const auto place = [&](std::uint32_t each) { return std::ranges::find(ordered, each) - ordered.begin(); };
  for (std::uint32_t each = 0; each < count; ++each) {
    for (const std::uint32_t before : needs[each]) {
      RC_ASSERT(place(before) < place(each));
      RC_ASSERT(dependents.depends(each, before));
    }
  }
}

}  // namespace
}  // namespace hyperscale::jobs

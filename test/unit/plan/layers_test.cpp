#include "plan/layers.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::vector<std::string>> names_of(const std::vector<Dependent>& members) {
  const auto layers = layers_of("step", members);
  if (!layers) return {{layers.error().message}};
  std::vector<std::vector<std::string>> names;
  for (const auto& layer : *layers) {
    names.emplace_back();
    for (const std::uint32_t index : layer) names.back().push_back(members[index].name);
  }
  return names;
}

std::string fault_of(const std::vector<Dependent>& members) {
  const auto layers = layers_of("step", members);
  return layers ? std::string("no fault") : layers.error().message;
}

// proves: DAG-STEP-7
// proves part: DAG-STEP-1 (roots, order, names; not: a step skipped for a dependency that it names second)
TEST(Layers, StepsFollowAllTheirDependencies) {
  EXPECT_THAT(
      names_of({{"authenticate", {}},
                {"get_users", {"authenticate"}},
                {"get_config", {"authenticate"}},
                {"process_data", {"get_users", "get_config"}}}),
      ElementsAre(ElementsAre("authenticate"), ElementsAre("get_users", "get_config"), ElementsAre("process_data")));
}

// proves: DAG-WF-2
TEST(Layers, TheLongestPathDecides) {
  EXPECT_THAT(
      names_of({{"Setup", {}}, {"LoadTest", {}}, {"Validate", {"LoadTest"}}, {"Report", {"Validate", "LoadTest"}}}),
      ElementsAre(ElementsAre("Setup", "LoadTest"), ElementsAre("Validate"), ElementsAre("Report")));
}

TEST(Layers, ADependencyMayBeDeclaredLaterOrTwice) {
  EXPECT_THAT(names_of({{"b", {"a", "a"}}, {"a", {}}}), ElementsAre(ElementsAre("a"), ElementsAre("b")));
}

TEST(Layers, NothingHasNoLayers) {
  EXPECT_TRUE(layers_of("step", {})->empty());
}

// proves: DAG-STEP-5
TEST(Layers, ACycleIsRefusedByName) {
  EXPECT_EQ(fault_of({{"start", {}}, {"a", {"start", "c"}}, {"b", {"a"}}, {"c", {"b"}}, {"after", {"c"}}}),
            R"(steps depend on each other in a circle: "a" needs "c" needs "b" needs "a")");
  EXPECT_EQ(fault_of({{"a", {"a"}}}), R"(step "a" depends on itself)");
  EXPECT_EQ(layers_of("step", std::vector<Dependent>{{"ok", {}}, {"a", {"b"}}, {"b", {"a"}}}).error().member, 1U);
}

// proves part: DAG-STEP-1 (roots, order, names; not: a step skipped for a dependency that it names second)
TEST(Layers, AnUnknownNameGetsTheNearestOne) {
  const std::vector<Dependent> members{{"login", {}}, {"cart", {"logn"}}};
  EXPECT_EQ(fault_of(members), R"(step "cart" depends on "logn", but there is no such step; did you mean "login"?)");
  EXPECT_EQ(layers_of("step", members).error().member, 1U);
  EXPECT_EQ(fault_of({{"cart", {"payment"}}}), R"(step "cart" depends on "payment", but there is no such step)");
  EXPECT_THAT(fault_of({{"login", {}}, {"cart", {"Login"}}}), HasSubstr("there is no such step")) << "letter by letter";
}

TEST(Layers, ANameMayAppearOnce) {
  EXPECT_EQ(fault_of({{"a", {}}, {"b", {}}, {"a", {}}}), R"(there are two steps called "a")");
}

// proves: DAG-WF-2
// proves part: DAG-STEP-1 (roots, order, names; not: a step skipped for a dependency that it names second)
RC_GTEST_PROP(Layers, MemberIsOneLayerAboveHighestDependency, ()) {
  // Edges lead from later to earlier members only, so the graph has no cycle.
  const auto size = *rc::gen::inRange<std::size_t>(1, 20);
  std::vector<Dependent> members(size);
  std::vector<std::vector<std::size_t>> needs(size);
  for (std::size_t i = 0; i < size; ++i) {
    members[i].name = "n" + std::to_string(i);
    for (std::size_t j = 0; j < i; ++j) {
      if (!*rc::gen::arbitrary<bool>()) continue;
      needs[i].push_back(j);
      members[i].depends.push_back("n" + std::to_string(j));
    }
  }
  const auto layers = layers_of("step", members);
  RC_ASSERT(layers.has_value());
  std::vector<std::size_t> layer(size, SIZE_MAX);
  for (std::size_t at = 0; at < layers->size(); ++at)
    for (const std::uint32_t index : (*layers)[at]) layer[index] = at;
  for (std::size_t i = 0; i < size; ++i) {
    std::size_t expected = 0;
    for (const std::size_t need : needs[i]) expected = std::max(expected, layer[need] + 1);
    RC_ASSERT(layer[i] == expected);
  }
}

}  // namespace
}  // namespace hyperscale::plan

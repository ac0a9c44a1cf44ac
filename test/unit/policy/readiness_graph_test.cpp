#include "runtime/policy/readiness_graph.h"

#include "base/prng.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

ReadinessGraph node() {
  ReadinessGraph graph;
  EXPECT_TRUE(graph.add_condition("config"));
  EXPECT_TRUE(graph.add_condition("listeners"));
  EXPECT_TRUE(graph.add_service("workers", {"config"}));
  EXPECT_TRUE(graph.add_service("overlay", {"workers", "listeners"}));
  return graph;
}

ReadinessGraph ready_node() {
  ReadinessGraph graph = node();
  graph.set_condition("config", true);
  graph.set_condition("listeners", true);
  graph.set_state("workers", ServiceState::kReady);
  graph.set_state("overlay", ServiceState::kReady);
  return graph;
}

TEST(ReadinessGraph, NothingIsReadyBeforeItSaysSo) {
  const Overall overall = node().overall();
  EXPECT_EQ(overall.state, ServiceState::kUnready);
  EXPECT_EQ(overall.http_status(), 503);
  EXPECT_EQ(overall.text(), "unready");
  EXPECT_THAT(overall.unmet, ElementsAre("config", "listeners", "workers"));
}

TEST(ReadinessGraph, ReadyWhenEveryServiceAndConditionIs) {
  const Overall overall = ready_node().overall();
  EXPECT_EQ(overall.state, ServiceState::kReady);
  EXPECT_EQ(overall.http_status(), 200);
  EXPECT_EQ(overall.text(), "ready");
  EXPECT_THAT(overall.unmet, IsEmpty());
  EXPECT_THAT(overall.services,
              ElementsAre(Pair("overlay", ServiceState::kReady), Pair("workers", ServiceState::kReady)));
}

TEST(ReadinessGraph, UnreadyServiceAffectsOnlyItsDependents) {
  ReadinessGraph graph = ready_node();
  ASSERT_TRUE(graph.add_service("metrics"));
  graph.set_state("metrics", ServiceState::kReady);
  graph.set_state("workers", ServiceState::kUnready);
  const Overall overall = graph.overall();
  EXPECT_EQ(overall.state, ServiceState::kUnready);
  EXPECT_THAT(overall.unmet, ElementsAre("workers"));
  EXPECT_THAT(overall.services,
              ElementsAre(Pair("metrics", ServiceState::kReady), Pair("overlay", ServiceState::kUnready),
                          Pair("workers", ServiceState::kUnready)));
}

TEST(ReadinessGraph, AnUnmetConditionIsInheritedThroughTheChain) {
  ReadinessGraph graph = ready_node();
  graph.set_condition("config", false);
  const Overall overall = graph.overall();
  EXPECT_EQ(overall.state, ServiceState::kUnready);
  EXPECT_THAT(overall.unmet, ElementsAre("config", "workers"));
  graph.set_condition("config", true);
  EXPECT_EQ(graph.overall().state, ServiceState::kReady);
}

TEST(ReadinessGraph, AnUnmetConditionNobodyNamedStillCounts) {
  ReadinessGraph graph = ready_node();
  ASSERT_TRUE(graph.add_condition("bus"));
  EXPECT_EQ(graph.overall().state, ServiceState::kUnready);
  EXPECT_THAT(graph.overall().unmet, ElementsAre("bus"));
}

TEST(ReadinessGraph, DegradedStillServesWith200) {
  ReadinessGraph graph = ready_node();
  graph.set_state("workers", ServiceState::kDegraded);
  const Overall overall = graph.overall();
  EXPECT_EQ(overall.state, ServiceState::kDegraded);
  EXPECT_EQ(overall.http_status(), 200);
  EXPECT_EQ(overall.text(), "degraded");
  EXPECT_THAT(overall.services,
              ElementsAre(Pair("overlay", ServiceState::kReady), Pair("workers", ServiceState::kDegraded)));
}

TEST(ReadinessGraph, UnreadyOutweighsDegraded) {
  ReadinessGraph graph = ready_node();
  graph.set_state("workers", ServiceState::kDegraded);
  graph.set_state("overlay", ServiceState::kUnready);
  EXPECT_EQ(graph.overall().state, ServiceState::kUnready);
}

TEST(ReadinessGraph, DrainingOverridesReadyAndStays) {
  ReadinessGraph graph = ready_node();
  graph.set_draining();
  graph.set_state("workers", ServiceState::kReady);
  const Overall overall = graph.overall();
  EXPECT_TRUE(overall.draining);
  EXPECT_EQ(overall.http_status(), 503);
  EXPECT_EQ(overall.text(), "draining");
  EXPECT_EQ(overall.state, ServiceState::kReady);
}

TEST(ReadinessGraph, ADependencyNobodyAddedIsUnmet) {
  ReadinessGraph graph;
  ASSERT_TRUE(graph.add_service("overlay", {"wokers"}));
  graph.set_state("overlay", ServiceState::kReady);
  EXPECT_EQ(graph.overall().state, ServiceState::kUnready);
  EXPECT_THAT(graph.overall().unmet, ElementsAre("wokers"));
}

TEST(ReadinessGraph, DependenciesMayBeAddedLater) {
  ReadinessGraph graph;
  ASSERT_TRUE(graph.add_service("overlay", {"workers"}));
  ASSERT_TRUE(graph.add_service("workers"));
  graph.set_state("overlay", ServiceState::kReady);
  graph.set_state("workers", ServiceState::kReady);
  EXPECT_EQ(graph.overall().state, ServiceState::kReady);
}

TEST(ReadinessGraph, RefusesCyclesAndRepeatedNames) {
  ReadinessGraph graph;
  EXPECT_EQ(graph.add_service("a", {"a"}).error().code, ErrorCode::kInvalidArgument);
  ASSERT_TRUE(graph.add_service("a", {"b"}));
  ASSERT_TRUE(graph.add_service("b", {"c"}));
  EXPECT_EQ(graph.add_service("c", {"a"}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(graph.add_service("a").error().code, ErrorCode::kConflict);
  EXPECT_EQ(graph.add_condition("a").error().code, ErrorCode::kConflict);
  ASSERT_TRUE(graph.add_condition("x"));
  EXPECT_EQ(graph.add_service("x").error().code, ErrorCode::kConflict);
  // A refused service leaves no trace.
  EXPECT_THAT(graph.overall().services,
              ElementsAre(Pair("a", ServiceState::kUnready), Pair("b", ServiceState::kUnready)));
  ASSERT_TRUE(graph.add_service("c"));
}

// Whatever is added in whatever order, the graph answers, and ready means that everything below is not unready.
TEST(ReadinessGraph, RandomGraphsStayAcyclicAndConsistent) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Prng prng(seed);
    ReadinessGraph graph;
    std::map<std::string, std::vector<std::string>> added;
    for (int i = 0; i < 12; ++i) {
      const std::string name = fmt::format("s{}", prng.below(8));
      std::vector<std::string> depends_on;
      for (std::uint64_t d = prng.below(3); d > 0; --d) depends_on.push_back(fmt::format("s{}", prng.below(8)));
      if (graph.add_service(name, depends_on)) added.emplace(name, depends_on);
    }
    for (const auto& [name, unused] : added) graph.set_state(name, static_cast<ServiceState>(prng.below(3)));
    const Overall overall = graph.overall();
    std::map<std::string, ServiceState> states(overall.services.begin(), overall.services.end());
    RC_ASSERT(states.size() == added.size());
    for (const auto& [name, depends_on] : added) {
      for (const std::string& dependency : depends_on) {
        const bool met = states.contains(dependency) && states[dependency] != ServiceState::kUnready;
        if (!met) RC_ASSERT(states[name] == ServiceState::kUnready);
      }
      RC_ASSERT(overall.state <= states[name]);
    }
  }));
}

TEST(ReadinessGraphDeathTest, SettingAnUnknownNameIsABug) {
  ReadinessGraph graph = node();
  EXPECT_DEATH(graph.set_state("wokers", ServiceState::kReady), "never added");
  EXPECT_DEATH(graph.set_condition("workers", true), "never added");
}

}  // namespace
}  // namespace hyperscale::runtime

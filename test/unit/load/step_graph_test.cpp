#include "load/step_graph.h"

#include "executor_harness.h"
#include "ordered_server.h"

#include <gmock/gmock.h>

namespace hyperscale::load {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Named {
  std::string name;
  std::vector<std::string> depends;
};

// Each step asks for the path that is its name.
plan::Plan plan_of(std::uint16_t port, const std::vector<Named>& steps) {
  plan::Plan plan = plan_for(port, "/");
  plan.steps.clear();
  for (const Named& each : steps) {
    plan::Step& step = plan.steps.emplace_back();
    step.name = each.name;
    step.depends = each.depends;
    step.requests = {{.url = "http://127.0.0.1:" + std::to_string(port) + "/" + each.name, .headers = {}, .body = ""}};
  }
  plan.load.iterations = 1;
  return plan;
}

std::ptrdiff_t place(const std::vector<std::string>& log, const std::string& event) {
  const auto found = std::ranges::find(log, event);
  EXPECT_NE(found, log.end()) << event;
  return found - log.begin();
}

// proves part: DAG-STEP-3 (requests of HTTP/1.1, functions; not: over HTTP/2, nor a request beside a function)
TEST(StepGraph, StepsOfALayerAreUnderWayTogether) {
  OrderedServer server(
      {{"/a", {.after = {"/b", "/c"}}}, {"/b", {.after = {"/a", "/c"}}}, {"/c", {.after = {"/a", "/b"}}}});
  const auto result = run_plan(plan_of(server.port(), {{"a", {}}, {"b", {}}, {"c", {}}}));
  EXPECT_EQ(result.total_counts().requests(), 3U);
  EXPECT_EQ(result.total_counts().errors(), 0U);
  EXPECT_EQ(result.total_counts().connections_opened, 3U);
  EXPECT_EQ(result.iterations, 1U);
}

// proves: DAG-STEP-2
// proves part: DAG-STEP-3 (requests of HTTP/1.1, functions; not: over HTTP/2, nor a request beside a function)
TEST(StepGraph, ALayerBeginsWhenAllOfTheLastOneHasEnded) {
  // "c" needs the quick one only, but the slow one is of the same layer.
  OrderedServer server({{"/slow", {.when_quiet = true}}});
  auto plan = plan_of(server.port(), {{"c", {"quick"}}, {"quick", {}}, {"slow", {}}});
  plan.load.iterations = 2;
  EXPECT_EQ(run_plan(plan).iterations, 2U);
  const auto log = server.log();
  ASSERT_EQ(log.size(), 12U);
  EXPECT_GT(place(log, "got /c"), place(log, "answered /slow"));
  EXPECT_EQ(log[5], "answered /c") << "the first iteration ends before the second begins";
}

// proves: DAG-STEP-2, EXEC-VU-5
TEST(StepGraph, EveryUserRepeatsAllLayersForTheDuration) {
  const auto server = start_target();
  auto plan = plan_of(server->port(), {{"status/201", {"delay/20ms"}}, {"delay/20ms", {}}});
  plan.load.vus = 5;
  plan.load.iterations = 0;
  plan.load.duration = 200ms;
  const auto result = run_plan(plan);
  const std::uint64_t first = result.steps[1].counts.requests();
  const std::uint64_t second = result.steps[0].counts.requests();
  EXPECT_GT(second, 5U * 2);
  EXPECT_LE(second, first);
  EXPECT_LE(first, second + 5);
  EXPECT_LE(first, 5U * 11) << "20 ms each, and none begins after the 200 ms";
}

// proves: DAG-STEP-4
TEST(StepGraph, EachStepHasItsOwnFigures) {
  OrderedServer server({{"/b", {.status = 503}}});
  auto plan = plan_of(server.port(), {{"a", {}}, {"b", {"a"}}});
  plan.load.iterations = 3;
  const auto result = run_plan(plan);
  EXPECT_EQ(result.steps[0].counts.requests(), 3U);
  EXPECT_EQ(result.steps[0].counts.errors(), 0U);
  EXPECT_EQ(result.steps[1].counts.requests(), 3U);
  EXPECT_EQ(result.steps[1].counts.errors(), 3U);
  EXPECT_TRUE(result.steps[0].failures.empty());
  ASSERT_EQ(result.steps[1].failures.size(), 1U);
  EXPECT_EQ(result.steps[1].failures[0].count, 3U);
  EXPECT_EQ(result.steps[0].counts.connections_opened, 1U) << "the first step opens the connection of the user";
  EXPECT_EQ(result.steps[1].counts.connections_opened, 0U);
}

// proves: DAG-STEP-4
TEST(StepGraph, RedirectsAndBytesBelongToTheirStep) {
  const auto server = start_target();
  auto plan = plan_of(server->port(), {{"size/2KiB", {}}, {"redirect/1", {"size/2KiB"}}});
  plan.load.iterations = 3;
  const auto result = run_plan(plan);
  EXPECT_EQ(result.steps[0].counts.redirects_followed, 0U);
  EXPECT_EQ(result.steps[1].counts.redirects_followed, 3U);
  EXPECT_FALSE(result.steps[0].counts.statuses.contains(302));
  EXPECT_EQ(result.steps[1].counts.statuses.at(302), 3U);
  EXPECT_GE(result.steps[0].counts.bytes_received, 3U * 2048);
  EXPECT_LT(result.steps[1].counts.bytes_received, 3U * 2048);
}

// proves part: DAG-STEP-1 (roots, order, names; not: a step skipped for a dependency that it names second)
TEST(StepGraph, DependentsOfUnansweredStepAreSkipped) {
  OrderedServer server({{"/a", {.never = true}}});
  const auto result = run_plan(plan_of(server.port(), {{"a", {}},
                                                       {"other", {}},
                                                       {"needs_a", {"a"}},
                                                       {"needs_both", {"needs_a", "other"}},
                                                       {"needs_other", {"other"}}}));
  EXPECT_EQ(result.steps[0].counts.errors(), 1U);
  EXPECT_EQ(result.steps[2].counts.requests(), 0U);
  EXPECT_EQ(result.steps[3].counts.requests(), 0U);
  EXPECT_EQ(result.steps[4].counts.requests(), 1U);
  EXPECT_EQ(result.iterations, 1U);
}

TEST(StepGraph, OneAfterTheOtherSharesAConnection) {
  OrderedServer server({});
  const auto result = run_plan(plan_of(server.port(), {{"a", {}}, {"b", {"a"}}, {"c", {"b"}}}));
  EXPECT_THAT(server.log(), ElementsAre("got /a", "answered /a", "got /b", "answered /b", "got /c", "answered /c"));
  EXPECT_EQ(result.total_counts().connections_opened, 1U);
}

TEST(StepGraph, WorksWithSeveralLanesAndInAnOpenLoop) {
  const auto server = start_target();
  for (const plan::Pacing pacing : {plan::Pacing::kClosed, plan::Pacing::kOpen}) {
    auto plan =
        plan_of(server->port(), {{"status/200", {}}, {"status/201", {}}, {"status/202", {"status/200", "status/201"}}});
    plan.load.pacing = pacing;
    plan.load.rate_per_s = 2'000;
    plan.load.vus = 4;
    plan.load.iterations = 200;
    plan.http.pipeline = 3;
    const auto result = run_plan(plan, 2);
    EXPECT_EQ(result.iterations, 200U);
    for (const auto& step : result.steps) EXPECT_EQ(step.counts.requests(), 200U) << step.name;
    EXPECT_EQ(result.total_counts().errors(), 0U);
  }
}

TEST(StepGraph, Http2UserSharesOneConnectionPerLayer) {
  const auto server = start_target();
  auto plan = plan_of(server->port(), {{"status/200", {}}, {"status/201", {}}, {"status/202", {"status/200"}}});
  plan.http.version = plan::HttpVersion::kHttp2;
  plan.load.vus = 3;
  plan.load.iterations = 60;
  const auto result = run_plan(plan);
  EXPECT_EQ(result.total_counts().requests(), 180U);
  EXPECT_EQ(result.total_counts().errors(), 0U);
  EXPECT_EQ(result.total_counts().connections_opened, 3U);
}

// proves: DAG-STEP-5
TEST(StepGraph, AWrongGraphIsRefusedByTheExecutor) {
  auto plan = plan_of(1, {{"a", {"b"}}, {"b", {"a"}}});
  EXPECT_THAT(StepGraph::make(plan.steps).error().context, HasSubstr("in a circle"));
}

}  // namespace
}  // namespace hyperscale::load

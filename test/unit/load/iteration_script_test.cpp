// Functions inside iterations: in which order steps and readers run, and what is recorded of them.
#include "script_harness.h"

#include <algorithm>

#include <gmock/gmock.h>

namespace hyperscale::load {
namespace {

using results::Outcome;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr HookId kFirstStep{.kind = HookKind::kStep, .index = 0};

plan::Step plain_step(std::uint16_t port, const std::string& name, const std::string& path) {
  plan::Step step = plan_for(port, path).steps[0];
  step.name = name;
  return step;
}

std::size_t place_of(const std::vector<std::string>& log, const std::string& entry) {
  return static_cast<std::size_t>(std::ranges::find(log, entry) - log.begin());
}

// proves: HOOK-7
TEST(IterationScript, StepIsMeasuredByTheCallItReturns) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.iterations = 3;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on_step(0, [&script, port = server->port()](std::uint32_t user) {
      script.send(user, get_of(port, "/status/500"), [&script, user, port](const ScriptAnswer& first) {
        EXPECT_EQ(first.status, 500);
        const auto number = std::make_shared<CallNumber>(0);
        *number = script.send(user, get_of(port, "/"),
                              [&script, user, number](const ScriptAnswer&) { script.end_with_call(user, 0, *number); });
      });
    });
  });
  EXPECT_EQ(run.result.steps[0].counts.requests(), 3U);
  EXPECT_EQ(run.result.steps[0].counts.errors(), 0U) << "the first call is not the step's result";
  EXPECT_EQ(run.result.steps[0].series.duration.count(), 3U);
  EXPECT_EQ(run.result.steps[0].series.service.count(), 3U);
  EXPECT_FALSE(run.result.steps[0].counts.statuses.contains(500));
  ASSERT_EQ(run.result.steps.size(), 2U);
  EXPECT_EQ(run.result.steps[1].name, "GET /status/500");
  EXPECT_EQ(run.result.steps[1].counts.errors(), 3U);
  EXPECT_EQ(run.result.steps[1].failures.at(0).status, 500);
  EXPECT_EQ(run.result.iterations, 3U);
  EXPECT_EQ(run.result.iterations_ok(), 3U) << "what the call means is for the function to say";
  EXPECT_EQ(server->counters().requests, 6U);
}

// proves: DAG-STEP-2
// proves part: DAG-STEP-3 (requests of HTTP/1.1, functions; not: over HTTP/2, nor a request beside a function)
TEST(IterationScript, PlainStepsAndFunctionsShareLayers) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"function"});
  plan.steps.push_back(plain_step(server->port(), "plain", "/delay/20ms"));
  plan.steps[1].answer_read = true;
  plan::Step last = plan.steps[0];
  last.name = "last";
  last.depends = {"function", "plain"};
  plan.steps.push_back(last);
  plan.load.iterations = 2;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.step_sends(0, get_of(server->port(), "/"));
    script.step_sends(2, get_of(server->port(), "/"));
  });
  EXPECT_THAT(run.script_log,
              ElementsAre("iterate 0", "begin step 0", "answer 200", "store 1 200", "begin step 2", "answer 200",
                          "iterate 0", "begin step 0", "answer 200", "store 1 200", "begin step 2", "answer 200"));
  for (const auto& step : run.result.steps) EXPECT_EQ(step.counts.requests(), 2U) << step.name;
  EXPECT_EQ(run.result.iterations, 2U);
}

// "last" needs the quick one only, but the slow one is of the same layer.
// proves: DAG-STEP-2
// proves part: DAG-STEP-3 (requests of HTTP/1.1, functions; not: over HTTP/2, nor a request beside a function)
TEST(IterationScript, FunctionsOfALayerAreUnderWayTogether) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"slow", "quick", "last"});
  plan.steps[1].depends.clear();
  plan.load.iterations = 1;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.step_sends(0, get_of(server->port(), "/delay/50ms"));
    script.step_sends(1, get_of(server->port(), "/status/201"));
    script.step_sends(2, get_of(server->port(), "/status/202"));
  });
  EXPECT_THAT(run.script_log, ElementsAre("iterate 0", "begin step 0", "begin step 1", "answer 201", "answer 200",
                                          "begin step 2", "answer 202"));
}

TEST(IterationScript, InstantFunctionDoesNotEndTheLayer) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"at_once"});
  plan.steps.push_back(plain_step(server->port(), "plain", "/"));
  plan.load.iterations = 5;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on_step(0, [&script](std::uint32_t user) { script.end_plain(user, 0); });
  });
  EXPECT_EQ(run.result.iterations, 5U);
  EXPECT_EQ(run.result.steps[0].counts.requests(), 0U) << "a plain step that went well is not measured";
  EXPECT_EQ(run.result.steps[1].counts.requests(), 5U);
}

TEST(IterationScript, FunctionThatFailsAtOnceBacksOff) {
  plan::Plan plan = function_plan(1, {"broken"});
  plan.load.duration = 300ms;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on_step(0, [&script](std::uint32_t user) { script.end_failed(user, kFirstStep, "shop.js:3: no"); });
  });
  EXPECT_GE(run.result.iterations, 2U);
  EXPECT_LE(run.result.iterations, 10U) << "pauses of 10, 20, 40 ... ms";
  EXPECT_EQ(count_of(run.result.steps[0], Outcome::kScript), run.result.iterations);
  EXPECT_EQ(run.result.steps[0].failures.at(0).message, "shop.js:3: no");
}

TEST(IterationScript, ThrowingFailsAnIterationAndChecksDoNot) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.checks = {{.name = "bad", .reads = {"buy"}}};
  plan.metrics = {{.name = "size", .kind = plan::MetricKind::kTrend, .reads = {"buy"}}};
  plan.load.iterations = 6;
  const auto iterations = std::make_shared<int>(0);
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on_step(0, [&script, iterations, port = server->port()](std::uint32_t user) {
      if (++*iterations <= 2) return script.end_failed(user, kFirstStep, "shop.js:3: no");
      const auto number = std::make_shared<CallNumber>(0);
      *number = script.send(user, get_of(port, "/"),
                            [&script, user, number](const ScriptAnswer&) { script.end_with_call(user, 0, *number); });
    });
    script.on(HookKind::kCheck, 0, [&script](std::uint32_t user) { script.end_flag(user, 0, false); });
    script.on(HookKind::kMetric, 0, [&script, iterations](std::uint32_t user) {
      if (*iterations == 3) return script.end_failed(user, {HookKind::kMetric, 0}, "shop.js:9: no");
      script.end_number(user, 0, 1);
    });
  });
  EXPECT_EQ(run.result.iterations, 6U);
  EXPECT_EQ(run.result.iterations_failed, 3U) << "two steps and a metric threw";
  EXPECT_EQ(run.result.checks[0].failed, 6U);
}

// The pause grows with failures in a row; one that ends well beside it must not make it the longest there is.
TEST(IterationScript, AFailureBesideAStepThatGoesWellPausesShortly) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"broken"});
  plan.steps.push_back(plain_step(server->port(), "plain", "/"));
  plan.load.duration = 300ms;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on_step(0, [&script](std::uint32_t user) { script.end_failed(user, kFirstStep, "no"); });
  });
  EXPECT_GE(run.result.iterations, 8U) << "a pause of 10 ms each";
}

TEST(IterationScript, ChecksRunBetweenTheirStepsAndTheNextLayer) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"first", "second", "third"});
  plan.checks = {{.name = "both", .reads = {"second", "first"}}, {.name = "early", .reads = {"first"}}};
  plan.metrics = {{.name = "added", .kind = plan::MetricKind::kCounter, .reads = {}},
                  {.name = "size", .kind = plan::MetricKind::kTrend, .reads = {"third"}}};
  plan.load.iterations = 1;
  const auto run = run_script(plan, [&](FakeScript& script) {
    for (std::uint32_t step = 0; step < 3; ++step) script.step_sends(step, get_of(server->port(), "/"));
    script.on(HookKind::kCheck, 0, [&script](std::uint32_t user) {
      script.after(user, 10ms, [&script, user] { script.end_flag(user, 0, false); });
    });
    script.on(HookKind::kCheck, 1, [&script](std::uint32_t user) {
      script.events().script_adds(user, 0, 7);
      script.end_flag(user, 1, true);
    });
    script.on(HookKind::kMetric, 1, [&script](std::uint32_t user) { script.end_number(user, 1, 42); });
  });
  EXPECT_THAT(run.script_log,
              ElementsAre("iterate 0", "begin step 0", "answer 200", "begin check 1", "begin step 1", "answer 200",
                          "begin check 0", "begin step 2", "answer 200", "begin metric 1"));
  EXPECT_EQ(run.result.checks[0].failed, 1U);
  EXPECT_EQ(run.result.checks[1].passed, 1U);
  EXPECT_EQ(run.result.metrics[0].sum(), 7);
  EXPECT_EQ(run.result.metrics[1].sum(), 42);
  EXPECT_EQ(run.result.iterations, 1U);
}

TEST(IterationScript, CheckOfUnansweredStepFailsWithoutRunning) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"broken", "after"});
  plan.checks = {{.name = "fine", .reads = {"broken"}}, {.name = "later", .reads = {"after"}}};
  plan.metrics = {{.name = "size", .kind = plan::MetricKind::kTrend, .reads = {"broken"}}};
  plan.load.iterations = 2;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.step_sends(0, get_of(server->port(), "/reset"));
    script.step_sends(1, get_of(server->port(), "/"));
  });
  EXPECT_EQ(run.result.checks[0].failed, 2U);
  EXPECT_EQ(run.result.checks[1].failed, 2U) << "its step was not even begun";
  EXPECT_EQ(run.result.checks[0].example, "a step that it looks at was not answered");
  EXPECT_EQ(run.result.metrics[0].count, 0U);
  EXPECT_EQ(std::ranges::count(run.script_log, "begin check 0"), 0);
  EXPECT_EQ(std::ranges::count(run.script_log, "begin step 1"), 0) << "DAG: it depends on what was not answered";
  EXPECT_EQ(run.result.steps[1].counts.requests(), 0U);
  EXPECT_EQ(run.result.iterations, 2U);
}

TEST(IterationScript, ThrowingCheckFailsWithItsTextAsExample) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.checks = {{.name = "fine", .reads = {"buy"}}};
  plan.metrics = {{.name = "size", .kind = plan::MetricKind::kTrend, .reads = {"buy"}}};
  plan.load.iterations = 2;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.step_sends(0, get_of(server->port(), "/"));
    script.on(HookKind::kCheck, 0, [&script](std::uint32_t user) {
      script.end_failed(user, {.kind = HookKind::kCheck, .index = 0}, "shop.js:9: undefined");
    });
    script.on(HookKind::kMetric, 0, [&script](std::uint32_t user) {
      script.end_failed(user, {.kind = HookKind::kMetric, .index = 0}, "shop.js:10: not a number");
    });
  });
  EXPECT_EQ(run.result.checks[0].failed, 2U);
  EXPECT_EQ(run.result.checks[0].example, "shop.js:9: undefined");
  EXPECT_EQ(run.result.metrics[0].count, 0U);
  EXPECT_THAT(run.lines, ElementsAre("shop.js:10: not a number", "shop.js:10: not a number"));
  EXPECT_EQ(run.result.iterations, 2U);
}

TEST(IterationScript, ReadersSeeOnlyHeadersOfTheLastAnswer) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {});
  plan.steps.push_back(plain_step(server->port(), "moved", "/redirect/2"));
  plan.steps[0].answer_read = true;
  plan.checks = {{.name = "fine", .reads = {"moved"}}};
  plan.load.iterations = 2;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on(HookKind::kCheck, 0, [&script](std::uint32_t user) { script.end_flag(user, 0, true); });
  });
  ASSERT_EQ(run.stored.size(), 2U);
  for (const auto& [step, answer] : run.stored) {
    EXPECT_EQ(answer.status, 200);
    EXPECT_THAT(answer.head, testing::Not(HasSubstr("location\n"))) << "of the redirects before it";
    EXPECT_THAT(answer.request->url, HasSubstr("/redirect/0"));
  }
  EXPECT_EQ(run.result.checks[0].passed, 2U);
}

TEST(IterationScript, HeadersOfBrokenAnswerAreDiscarded) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {});
  plan.steps.push_back(plain_step(server->port(), "half", "/half"));
  plan.steps[0].requests.push_back(plain_step(server->port(), "x", "/").requests[0]);
  plan.steps[0].answer_read = true;
  plan.load.iterations = 2;
  const auto run = run_script(plan, [](FakeScript&) {});
  ASSERT_EQ(run.stored.size(), 1U);
  std::string fields = run.stored[0].second.head;
  std::ranges::transform(fields, fields.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto first = fields.find("content-length\n");
  EXPECT_EQ(fields.find("content-length\n", first + 1), std::string::npos) << fields;
}

// proves: HOOK-CLIENT-2, HOOK-ARG-4
TEST(IterationScript, BadCustomResultIsAScriptFailure) {
  plan::Plan plan = function_plan(1, {"custom"});
  plan.load.iterations = 2;
  const auto run = run_script(plan, [&](FakeScript& script) {
    const auto good = std::make_shared<bool>(true);
    script.on_step(0, [&script, good](std::uint32_t user) {
      HookEnd end;
      end.user = user;
      end.hook = kFirstStep;
      end.result = HookEnd::Result::kCustom;
      end.flag = std::exchange(*good, false);
      script.after(user, 20ms, [&script, end] { script.end(end); });
    });
  });
  EXPECT_EQ(count_of(run.result.steps[0], Outcome::kOk), 1U);
  EXPECT_EQ(count_of(run.result.steps[0], Outcome::kScript), 1U);
  EXPECT_GE(run.result.steps[0].series.duration.min(), 20ms) << "it is measured by the time that its function took";
  EXPECT_EQ(run.result.steps[0].series.service.count(), 0U);
}

TEST(IterationScript, TheWarmUpRecordsNothingOfFunctions) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.checks = {{.name = "fine", .reads = {"buy"}}, {.name = "bad", .reads = {"buy"}}};
  plan.metrics = {{.name = "added", .kind = plan::MetricKind::kCounter, .reads = {}},
                  {.name = "size", .kind = plan::MetricKind::kTrend, .reads = {"buy"}}};
  plan.load.warmup = 100ms;
  plan.load.iterations = 3;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on_step(0, [&script, port = server->port()](std::uint32_t user) {
      script.send(user, get_of(port, "/"));
      script.events().script_adds(user, 0, 1);
      const auto number = std::make_shared<CallNumber>(0);
      *number = script.send(user, get_of(port, "/delay/5ms"),
                            [&script, user, number](const ScriptAnswer&) { script.end_with_call(user, 0, *number); });
    });
    script.on(HookKind::kCheck, 0, [&script](std::uint32_t user) { script.end_flag(user, 0, true); });
    script.on(HookKind::kCheck, 1, [&script](std::uint32_t user) { script.end_flag(user, 1, false); });
    script.on(HookKind::kMetric, 1, [&script](std::uint32_t user) { script.end_number(user, 1, 5); });
  });
  const auto iterations = static_cast<std::uint64_t>(std::ranges::count(run.script_log, "begin step 0"));
  EXPECT_GT(run.result.warmup_requests, 0U);
  EXPECT_EQ(run.result.warmup_requests + 6, 2 * iterations) << "two calls each";
  EXPECT_EQ(run.result.iterations, 3U);
  EXPECT_EQ(run.result.steps[0].counts.requests(), 3U);
  EXPECT_EQ(run.result.checks[0].passed, 3U);
  EXPECT_EQ(run.result.checks[1].failed, 3U);
  EXPECT_EQ(run.result.metrics[0].count, 3U);
  EXPECT_EQ(run.result.metrics[1].count, 3U);
  EXPECT_EQ(run.result.steps[1].counts.requests(), 3U);
}

TEST(IterationScript, UsersDoNotDisturbEachOther) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"first", "second"});
  plan.checks = {{.name = "fine", .reads = {"first", "second"}}};
  plan.load.vus = 20;
  plan.load.iterations = 400;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.step_sends(0, get_of(server->port(), "/"));
    script.step_sends(1, get_of(server->port(), "/"));
    script.on(HookKind::kCheck, 0, [&script](std::uint32_t user) { script.end_flag(user, 0, true); });
  });
  EXPECT_EQ(run.result.iterations, 400U);
  EXPECT_EQ(run.result.steps[0].counts.requests(), 400U);
  EXPECT_EQ(run.result.steps[1].counts.requests(), 400U);
  EXPECT_EQ(run.result.checks[0].passed, 400U);
  EXPECT_EQ(server->counters().requests, 800U);
  EXPECT_LT(place_of(run.script_log, "begin step 1"), place_of(run.script_log, "begin check 0"));
}

}  // namespace
}  // namespace hyperscale::load

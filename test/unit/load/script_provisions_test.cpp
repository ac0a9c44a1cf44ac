// Values that a workflow gives to others when it has completed, and its setup and teardown.
#include "load/action_executor.h"
#include "plan/fleet/slots.h"
#include "plan/limits.h"
#include "script_harness.h"

#include <gmock/gmock.h>

namespace hyperscale::load {
namespace {

using testing::ElementsAre;

constexpr HookId kProvision{.kind = HookKind::kProvide, .index = 0};

plan::Plan providing_plan(std::uint16_t port, std::vector<std::string> steps) {
  plan::Plan plan = function_plan(port, std::move(steps));
  plan.script.provides = {{.key = "token", .to = {"Other"}}};
  return plan;
}

// proves part: CTX-API-10 (run at the end, and values arrive in a local run; not the final result)
TEST(ScriptProvisions, RunAfterLastIterationAndAreAwaited) {
  const auto server = start_target();
  plan::Plan plan = providing_plan(server->port(), {"buy"});
  plan.load.iterations = 2;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.step_sends(0, get_of(server->port(), "/"));
    script.on(HookKind::kProvide, 0, [&script, port = server->port()](std::uint32_t user) {
      script.send(user, get_of(port, "/delay/20ms"), [&script, user](const ScriptAnswer& answer) {
        EXPECT_EQ(answer.status, 200);
        script.end_value(user, kProvision, "42");
      });
    });
  });
  EXPECT_THAT(run.script_log, ElementsAre("iterate 0", "begin step 0", "answer 200", "iterate 0", "begin step 0",
                                          "answer 200", "begin provide 0", "answer 200"));
  ASSERT_EQ(run.given.size(), 1U);
  EXPECT_EQ(run.given[0], (plan::SharedValue{.source = "Shop", .key = "token", .json = "42"}));
  EXPECT_EQ(run.result.iterations, 2U);
  EXPECT_EQ(run.result.total_counts().requests(), 2U);
}

TEST(ScriptProvisions, RunAlsoWithoutAnyStep) {
  plan::Plan plan = providing_plan(1, {});
  plan.load.iterations = 1;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on(HookKind::kProvide, 0,
              [&script](std::uint32_t user) { script.end_value(user, kProvision, "\"fixed\""); });
  });
  ASSERT_EQ(run.given.size(), 1U);
  EXPECT_EQ(run.given[0].json, "\"fixed\"");
}

// One user on two executors: the first has none.
TEST(ScriptProvisions, AShareWithoutUsersEndsAndGivesNothing) {
  for (const plan::Pacing pacing : {plan::Pacing::kClosed, plan::Pacing::kOpen}) {
    plan::Plan plan = providing_plan(1, {"buy"});
    plan.load.iterations = 1;
    plan.load.pacing = pacing;
    plan.load.rate_per_s = 100;
    const auto run = run_script(plan,
                                [&](FakeScript& script) {
                                  script.on(HookKind::kProvide, 0, [&script](std::uint32_t user) {
                                    script.end_value(user, kProvision, "null");
                                  });
                                },
                                {.segment = plan::segments_of(1, 2)[0]});
    EXPECT_TRUE(run.given.empty());
  }
}

TEST(ScriptProvisions, OneThatFailsIsToldAndTheOthersAreGiven) {
  plan::Plan plan = providing_plan(1, {});
  plan.script.provides.push_back({.key = "second", .to = {"Other"}});
  plan.load.iterations = 1;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on(HookKind::kProvide, 0,
              [&script](std::uint32_t user) { script.end_failed(user, kProvision, "shop.js:3: no"); });
    script.on(HookKind::kProvide, 1,
              [&script](std::uint32_t user) { script.end_value(user, {.kind = HookKind::kProvide, .index = 1}, "1"); });
  });
  EXPECT_THAT(run.lines, ElementsAre("shop.js:3: no"));
  ASSERT_EQ(run.given.size(), 1U);
  EXPECT_EQ(run.given[0].key, "second");
}

// It could not be sent to anybody.
TEST(ScriptProvisions, AValueThatIsTooLargeIsToldAndNotGiven) {
  plan::Plan plan = providing_plan(1, {});
  plan.load.iterations = 1;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on(HookKind::kProvide, 0, [&script](std::uint32_t user) {
      script.end_value(user, kProvision, std::string(plan::kSharedValueBytesMax + 1, '1'));
    });
  });
  EXPECT_TRUE(run.given.empty());
  EXPECT_THAT(run.lines, ElementsAre("\"token\" gives a value of 65537 bytes as JSON, 65536 are allowed"));
}

TEST(ScriptProvisions, EndlessProvisionEndsWithGracefulStop) {
  plan::Plan plan = providing_plan(1, {});
  plan.load.iterations = 1;
  plan.load.graceful_stop = 50ms;
  const auto run = run_script(plan, [](FakeScript&) {});
  EXPECT_TRUE(run.given.empty());
  EXPECT_LT(run.took, 5s);
}

TEST(ScriptProvisions, WhatACutIterationLeftDoesNotCutItsCall) {
  const auto server = start_target();
  plan::Plan plan = providing_plan(server->port(), {"waits"});
  plan.load.duration = 30ms;
  plan.load.graceful_stop = 1s;
  std::uint16_t status = 0;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.step_sends(0, get_of(server->port(), "/never"));
    script.on(HookKind::kProvide, 0, [&](std::uint32_t user) {
      script.send(user, get_of(server->port(), "/"), [&, user](const ScriptAnswer& answer) {
        status = answer.status;
        script.end_value(user, kProvision, "1");
      });
    });
  });
  EXPECT_EQ(status, 200);
  EXPECT_EQ(run.given.size(), 1U);
}

// --- setup and teardown ---

plan::Plan action_plan(std::uint16_t port) {
  plan::Plan plan = function_plan(port, {});
  plan.script.part = plan::ScriptPart::kSetup;
  return plan;
}

TEST(ActionExecutor, ActionsRunOnceInOrderAndGiveValues) {
  const auto server = start_target();
  const auto run = run_script(action_plan(server->port()), [&](FakeScript& script) {
    script.counts[HookKind::kSetup] = 3;
    script.on(HookKind::kSetup, 0, [&script, port = server->port()](std::uint32_t user) {
      script.send(user, get_of(port, "/redirect/1"), [&script, user](const ScriptAnswer& answer) {
        EXPECT_EQ(answer.head.find("location\n"), std::string::npos);
        script.end_value(user, {.kind = HookKind::kSetup, .index = 0}, std::to_string(answer.status));
      });
    });
    script.on(HookKind::kSetup, 1,
              [&script](std::uint32_t user) { script.end_value(user, {.kind = HookKind::kSetup, .index = 1}, ""); });
    script.on(HookKind::kSetup, 2,
              [&script](std::uint32_t user) { script.end_value(user, {.kind = HookKind::kSetup, .index = 2}, "[]"); });
  });
  EXPECT_THAT(run.script_log,
              ElementsAre("iterate 0", "begin setup 0", "answer 200", "begin setup 1", "begin setup 2"));
  EXPECT_EQ(run.failure, "");
  ASSERT_EQ(run.given.size(), 2U) << "the second gave nothing";
  EXPECT_EQ(run.given[0], (plan::SharedValue{.source = {}, .key = "setup0", .json = "200"}));
  EXPECT_EQ(run.given[1].key, "setup2");
}

TEST(ActionExecutor, SetupsOfDatacentersHaveDifferentUsers) {
  const auto number_in = [](std::uint32_t index) {
    std::uint32_t number = 99;
    run_script(action_plan(1),
               [&](FakeScript& script) {
                 script.counts[HookKind::kSetup] = 1;
                 script.on(HookKind::kSetup, 0, [&](std::uint32_t user) {
                   number = script.numbers.at(user);
                   script.end_value(user, {.kind = HookKind::kSetup, .index = 0}, "");
                 });
               },
               {.segment = plan::slots_of(2, 1, {.index = index, .count = 2}).front()});
    return number;
  };
  EXPECT_EQ(number_in(0), 0U);
  EXPECT_EQ(number_in(1), 1U);
}

TEST(ActionExecutor, WhatFollowsAFailureIsNotRun) {
  const auto run = run_script(action_plan(1), [](FakeScript& script) {
    script.counts[HookKind::kSetup] = 2;
    script.on(HookKind::kSetup, 0, [&script](std::uint32_t user) {
      script.end_failed(user, {.kind = HookKind::kSetup, .index = 0}, "shop.js:3: no");
    });
  });
  EXPECT_EQ(run.failure, "shop.js:3: no");
  EXPECT_EQ(std::ranges::count(run.script_log, "begin setup 1"), 0);
}

TEST(ActionExecutor, AValueThatIsTooLargeIsAFailure) {
  const auto run = run_script(action_plan(1), [](FakeScript& script) {
    script.counts[HookKind::kSetup] = 1;
    script.on(HookKind::kSetup, 0, [&script](std::uint32_t user) {
      script.end_value(user, {.kind = HookKind::kSetup, .index = 0}, std::string(plan::kSharedValueBytesMax + 1, '1'));
    });
  });
  EXPECT_EQ(run.failure, "\"setup0\" gives a value of 65537 bytes as JSON, 65536 are allowed");
  EXPECT_TRUE(run.given.empty());
}

TEST(ActionExecutor, TheOtherPartIsNotRun) {
  plan::Plan plan = action_plan(1);
  plan.script.part = plan::ScriptPart::kTeardown;
  const auto run = run_script(plan, [](FakeScript& script) {
    script.counts[HookKind::kSetup] = 1;
    script.counts[HookKind::kTeardown] = 1;
    script.on(HookKind::kTeardown, 0,
              [&script](std::uint32_t user) { script.end_value(user, {.kind = HookKind::kTeardown, .index = 0}, ""); });
  });
  EXPECT_THAT(run.script_log, ElementsAre("iterate 0", "begin teardown 0"));
}

TEST(ActionExecutor, AnActionThatDoesNotEndFailsAfterAWhile) {
  const auto run = run_script(action_plan(1), [](FakeScript& script) { script.counts[HookKind::kSetup] = 1; },
                              {.each_turn = [](Executor&, FakeScript& script) {
                                if (script.log.size() == 2)
                                  script.loop.timers().fire_due(EventLoop::now() + kActionPatience);
                              }});
  EXPECT_EQ(run.failure, "it had not ended after 1m");
}

TEST(ActionExecutor, AStopFailsAnActionThatWaits) {
  const auto server = start_target();
  const auto run = run_script(action_plan(server->port()),
                              [&](FakeScript& script) {
                                script.counts[HookKind::kSetup] = 1;
                                script.on(HookKind::kSetup, 0, [&script, port = server->port()](std::uint32_t user) {
                                  script.send(user, get_of(port, "/never"));
                                });
                              },
                              {.each_turn = [](Executor& executor, FakeScript& script) {
                                if (script.log.size() == 2) executor.stop();
                              }});
  EXPECT_EQ(run.failure, "stopped before it had ended");
}

}  // namespace
}  // namespace hyperscale::load

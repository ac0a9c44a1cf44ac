// Functions and time: when iterations begin and end, what is cut, what counts.
#include "script_harness.h"

#include <iterator>
#include <map>
#include <utility>

#include <gmock/gmock.h>

namespace hyperscale::load {
namespace {

using results::Outcome;

TEST(ScriptPacing, ACountIsReachedExactly) {
  const auto server = start_target();
  for (const std::uint32_t users : {1U, 7U}) {
    plan::Plan plan = function_plan(server->port(), {"buy"});
    plan.load.vus = users;
    plan.load.iterations = 101;
    const auto run = run_script(plan, [&](FakeScript& script) { script.step_sends(0, get_of(server->port(), "/")); });
    EXPECT_EQ(run.result.iterations, 101U);
    EXPECT_EQ(run.result.total_counts().requests(), 101U);
  }
}

TEST(ScriptPacing, EndlessFunctionIsCutAfterGracefulStop) {
  plan::Plan plan = function_plan(1, {"waits"});
  plan.load.vus = 3;
  plan.load.duration = 50ms;
  plan.load.graceful_stop = 50ms;
  const auto run = run_script(plan, [](FakeScript&) {});
  EXPECT_EQ(count_of(run.result.steps[0], Outcome::kCut), 3U);
  EXPECT_EQ(run.result.total_counts().requests(), 3U);
  EXPECT_GE(run.took, 100ms);
  EXPECT_LT(run.took, 5s);
}

TEST(ScriptPacing, CallInFlightAtTheEndIsCutAndCountedOnce) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"waits"});
  plan.load.vus = 3;
  plan.load.duration = 50ms;
  plan.load.graceful_stop = 50ms;
  const auto run =
      run_script(plan, [&](FakeScript& script) { script.step_sends(0, get_of(server->port(), "/never")); });
  EXPECT_EQ(count_of(run.result.steps[0], Outcome::kCut), 3U);
  EXPECT_EQ(run.result.total_counts().requests(), 3U);
}

// As it is for iterations of plain requests.
TEST(ScriptPacing, AnIterationThatIsCutCountsAsOne) {
  const auto server = start_target();
  plan::Plan plain = plan_for(server->port(), "/never");
  plain.load.duration = 30ms;
  plain.load.graceful_stop = 30ms;
  plan::Plan plan = function_plan(server->port(), {"waits"});
  plan.load.duration = 30ms;
  plan.load.graceful_stop = 30ms;
  const auto run =
      run_script(plan, [&](FakeScript& script) { script.step_sends(0, get_of(server->port(), "/never")); });
  EXPECT_EQ(run.result.iterations, run_plan(plain).iterations);
}

TEST(ScriptPacing, PlainAndScriptedStepsOfOneLayerAreBothCut) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"waits"});
  plan::Step plain = plan_for(server->port(), "/never").steps[0];
  plan.steps.push_back(plain);
  plan.checks = {{.name = "fine", .reads = {"step", "waits"}}};
  plan.load.duration = 30ms;
  plan.load.graceful_stop = 30ms;
  const auto run = run_script(plan, [](FakeScript&) {});
  EXPECT_EQ(count_of(run.result.steps[0], Outcome::kCut), 1U);
  EXPECT_EQ(run.result.iterations_cut, 1U);
  EXPECT_EQ(count_of(run.result.steps[1], Outcome::kCut), 1U);
  EXPECT_EQ(run.result.checks[0].passed, 0U);
}

// Nothing is begun any more when the graceful stop is over: a check could wait for as long as it likes.
TEST(ScriptPacing, NoCheckBeginsAfterTheGracefulStop) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {});
  plan.steps = {plan_for(server->port(), "/").steps[0], plan_for(server->port(), "/never").steps[0]};
  plan.steps[1].name = "never";
  plan.steps[0].answer_read = true;
  plan.checks = {{.name = "slow", .reads = {"step"}}};
  plan.load.duration = 30ms;
  plan.load.graceful_stop = 30ms;
  const auto run = run_script(plan, [](FakeScript& script) {
    script.on(HookKind::kCheck, 0, [&script](std::uint32_t user) {
      script.after(user, 3s, [&script, user] { script.end_flag(user, 0, true); });
    });
  });
  EXPECT_LT(run.took, 2s);
}

TEST(ScriptPacing, AStopWhileReadersWaitEndsWithThem) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy", "after"});
  plan.checks = {{.name = "slow", .reads = {"buy"}}};
  plan.load.duration = 1h;
  bool reading = false;
  const auto run = run_script(plan,
                              [&](FakeScript& script) {
                                script.step_sends(0, get_of(server->port(), "/"));
                                script.on(HookKind::kCheck, 0, [&](std::uint32_t user) {
                                  reading = true;
                                  script.after(user, 30ms, [&script, user] { script.end_flag(user, 0, true); });
                                });
                              },
                              {.each_turn = [&](Executor& executor, FakeScript&) {
                                if (std::exchange(reading, false)) executor.stop();
                              }});
  EXPECT_EQ(run.result.checks[0].passed, 1U);
  EXPECT_EQ(run.result.iterations, 1U);
  EXPECT_EQ(std::ranges::count(run.script_log, "begin step 1"), 0);
}

TEST(ScriptPacing, EndlessReaderIsCutWithoutFailingItsStep) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.checks = {{.name = "slow", .reads = {"buy"}}};
  plan.load.duration = 30ms;
  plan.load.graceful_stop = 30ms;
  const auto run = run_script(plan, [&](FakeScript& script) { script.step_sends(0, get_of(server->port(), "/")); });
  EXPECT_EQ(run.result.total_counts().requests(), 1U);
  EXPECT_EQ(run.result.total_counts().errors(), 0U);
  EXPECT_EQ(run.result.iterations, 1U);
}

TEST(ScriptPacing, WhatAFunctionSleepsIsNotTheTargetsTime) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.iterations = 2;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on_step(0, [&script, port = server->port()](std::uint32_t user) {
      script.after(user, 300ms, [&script, user, port] {
        const auto number = std::make_shared<CallNumber>(0);
        *number = script.send(user, get_of(port, "/"),
                              [&script, user, number](const ScriptAnswer&) { script.end_with_call(user, 0, *number); });
      });
    });
  });
  EXPECT_LT(run.result.steps[0].series.duration.max(), 250ms);
  EXPECT_GE(run.took, 600ms);
}

// One user and functions that take 20 ms: arrivals every 5 ms queue up, and each waits longer than the one before.
TEST(ScriptPacing, OpenLoopALateStartCounts) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.pacing = plan::Pacing::kOpen;
  plan.load.rate_per_s = 200;
  plan.load.iterations = 20;
  const auto run =
      run_script(plan, [&](FakeScript& script) { script.step_sends(0, get_of(server->port(), "/delay/20ms")); });
  const auto& series = run.result.steps[0].series;
  EXPECT_EQ(series.duration.count(), 20U);
  EXPECT_EQ(run.result.iterations, 20U);
  EXPECT_GE(series.duration.max(), 20ms * 20 - 5ms * 19);
  EXPECT_GE(series.duration.max(), series.service.max() + 100ms);
}

TEST(ScriptPacing, OpenLoopUsersAreAddedWhenTheyAreNeeded) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.pacing = plan::Pacing::kOpen;
  plan.load.rate_per_s = 500;
  plan.load.iterations = 100;
  plan.load.vus = 50;
  const auto run =
      run_script(plan, [&](FakeScript& script) { script.step_sends(0, get_of(server->port(), "/delay/10ms")); });
  EXPECT_EQ(run.result.iterations + run.result.dropped, 100U);
  EXPECT_EQ(run.result.dropped, 0U);
  EXPECT_GT(run.result.vus_max, 1U);
}

// Nobody waits for the connection of a user that opens none.
TEST(ScriptPacing, OpenLoopAddsUsersThatSendNothing) {
  plan::Plan plan = function_plan(1, {"custom"});
  plan.load.pacing = plan::Pacing::kOpen;
  plan.load.rate_per_s = 200;
  plan.load.iterations = 60;
  plan.load.vus = 60;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on_step(0, [&script](std::uint32_t user) {
      script.after(user, 200ms, [&script, user] { script.end_plain(user, 0); });
    });
  });
  EXPECT_EQ(run.result.iterations, 60U);
  EXPECT_GT(run.result.vus_max, 20U) << "40 at once are needed";
}

TEST(ScriptPacing, ClosedLoopEndsWhenTheRowsAreUsedUp) {
  const auto server = start_target();
  for (const std::uint32_t users : {1U, 3U, 10U}) {
    plan::Plan plan = function_plan(server->port(), {"buy"});
    plan.load.vus = users;
    plan.load.duration = 1h;
    const auto run = run_script(plan, [&](FakeScript& script) {
      script.rows_max = 7;
      script.step_sends(0, get_of(server->port(), "/"));
    });
    EXPECT_EQ(run.result.iterations, 7U) << users;
    EXPECT_EQ(run.result.total_counts().requests(), 7U) << users;
  }
}

TEST(ScriptPacing, ClosedLoopEndsWhenThereAreNoRowsAtAll) {
  plan::Plan plan = function_plan(1, {"buy"});
  plan.load.vus = 3;
  plan.load.iterations = 10;
  const auto run = run_script(plan, [&](FakeScript& script) { script.rows_max = 0; });
  EXPECT_EQ(run.result.iterations, 0U);
  EXPECT_EQ(run.result.total_counts().requests(), 0U);
}

TEST(ScriptPacing, UserWithoutRowsEndsAfterThinkTime) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.vus = 2;
  plan.load.duration = 1h;
  plan.load.think_time = 10ms;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.rows_max = 5;
    script.step_sends(0, get_of(server->port(), "/"));
  });
  EXPECT_EQ(run.result.iterations, 5U);
}

TEST(ScriptPacing, OpenLoopEndsWhenTheRowsAreUsedUp) {
  const auto server = start_target();
  for (const std::uint64_t rows : {std::uint64_t{0}, std::uint64_t{7}}) {
    plan::Plan plan = function_plan(server->port(), {"buy"});
    plan.load.pacing = plan::Pacing::kOpen;
    plan.load.rate_per_s = 300;
    plan.load.duration = 1h;
    plan.load.vus = 4;
    const auto run = run_script(plan, [&](FakeScript& script) {
      script.rows_max = rows;
      script.step_sends(0, get_of(server->port(), "/"));
    });
    EXPECT_EQ(run.result.iterations, rows);
    EXPECT_EQ(run.result.total_counts().requests(), rows);
  }
}

std::vector<std::uint64_t> rows_of(const ScriptedRun& run) {
  std::vector<std::uint64_t> rows;
  for (const auto& [round, row] : run.rows) rows.push_back(row);
  return rows;
}

// Iteration i gets row i, whichever user begins it and however long that one takes.
TEST(ScriptPacing, RowsAreDealtInTheOrderOfIterations) {
  const auto server = start_target();
  for (const auto pacing : {plan::Pacing::kClosed, plan::Pacing::kOpen}) {
    plan::Plan plan = function_plan(server->port(), {"buy"});
    plan.load.pacing = pacing;
    plan.load.rate_per_s = 500;
    plan.load.vus = 3;
    plan.load.iterations = 30;
    const auto run = run_script(plan, [&](FakeScript& script) {
      script.on_step(0, [&script](std::uint32_t user) {
        script.after(user, user == 0 ? 1ms : 7ms, [&script, user] { script.end_plain(user, 0); });
      });
    });
    std::vector<std::uint64_t> expected(30);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = i;
    EXPECT_EQ(rows_of(run), expected);
  }
}

// One of two users and one of one user: each has half of the iterations.
TEST(ScriptPacing, ExecutorsDealFromTheSameRows) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.vus = 3;
  plan.load.iterations = 30;
  IterationNumberCells numbers{};
  std::vector<std::uint64_t> rows;
  for (const plan::Segment& segment : plan::segments_of(3, 2)) {
    const auto run = run_script(plan, [&](FakeScript& script) { script.step_sends(0, get_of(server->port(), "/")); },
                                {.segment = segment, .numbers = &numbers});
    std::ranges::copy(rows_of(run), std::back_inserter(rows));
  }
  ASSERT_EQ(rows.size(), 30U);
  std::map<std::uint64_t, int> dealt;
  for (const std::uint64_t row : rows) ++dealt[row % 3];
  EXPECT_THAT(dealt, testing::ElementsAre(testing::Pair(0, 10), testing::Pair(1, 10), testing::Pair(2, 10)));
}

// Also of users that someone adds.
TEST(ScriptPacing, AddedUsersGetRowsLikeAllOthers) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.vus = 1;
  plan.load.duration = 1h;
  bool added = false;
  const auto run = run_script(plan,
                              [&](FakeScript& script) {
                                script.rows_max = 40;
                                script.step_sends(0, get_of(server->port(), "/"));
                              },
                              {.each_turn = [&](Executor& executor, FakeScript& script) {
                                if (script.rows.size() < 10 || std::exchange(added, true)) return;
                                executor.change({plan::LoadChangeKind::kUsers, 4, EventLoop::now()});
                              }});
  EXPECT_EQ(run.result.iterations, 40U) << "each row once";
}

TEST(ScriptPacing, ASuccessorCountsOnAfterItsPredecessor) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.vus = 2;
  plan.load.iterations = 10;
  const auto run = run_script(plan, [&](FakeScript& script) { script.step_sends(0, get_of(server->port(), "/")); },
                              {.first_round = 7});
  std::uint64_t least = UINT64_MAX, most = 0;
  for (const auto& [round, row] : run.rows) {
    least = std::min(least, round);
    most = std::max(most, round);
  }
  EXPECT_EQ(least, 7U);
  EXPECT_EQ(run.rounds, most + 1) << "where the next one goes on";
}

}  // namespace
}  // namespace hyperscale::load

// A script as an executor sees it: what it is told, in which order, and what it is never told.
#include "noted_events.h"

#include <algorithm>

#include <gmock/gmock.h>

namespace hyperscale::workflow {
namespace {

using load::HookEnd;
using load::HookKind;
using load::IterationStart;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using ScriptStepsTest = ScriptStepsWorld;

// --- making ---

TEST_F(ScriptStepsTest, AWorkflowThatTheFileDoesNotHaveIsNamed) {
  plan::Plan plan = script_plan("a = step(() => 1);", {"a"});
  plan.script.workflow = "Shopp";
  EXPECT_EQ(open(plan), "shop.js has no workflow called Shopp");
}

TEST_F(ScriptStepsTest, AHookThatTheWorkflowDoesNotHaveIsNamed) {
  EXPECT_EQ(open(script_plan("a = step(() => 1);", {"a", "b"})), "workflow Shop of shop.js has no \"b\"");
  plan::Plan plan = script_plan("a = step(() => 1);", {"a"});
  plan.checks = {{.name = "a", .reads = {"a"}}};
  EXPECT_THAT(open(plan), HasSubstr("no \"a\"")) << "a step is no check";
  plan = script_plan("a = step(() => 1);", {"a"});
  plan.script.provides = {{.key = "token", .to = {"Other"}}};
  EXPECT_THAT(open(plan), HasSubstr("no \"token\""));
}

TEST_F(ScriptStepsTest, AnErrorInTheFileIsToldWithItsPlace) {
  EXPECT_THAT(open(script_plan("a = step(() => 1;", {"a"})), HasSubstr("shop.js:3"));
}

TEST_F(ScriptStepsTest, ADataFileThatIsNotInThePlanIsNamed) {
  EXPECT_EQ(open(script_plan("static data = { users: csv('u.csv') }; a = step(() => 1);", {"a"})),
            "the plan does not have u.csv");
}

// Before anybody listens.
TEST_F(ScriptStepsTest, AFileMayWriteLinesWhileItIsLoaded) {
  plan::Plan plan = script_plan("a = step(() => 1);", {"a"});
  plan.script.files[0] = plan::make_blob("shop.js", plan.script.files[0].content + "console.log('loaded');\n");
  EXPECT_EQ(open(plan), "");
  EXPECT_THAT(events_.lines, testing::Contains("loaded")) << "when a user is made";
}

TEST_F(ScriptStepsTest, WhatAUserAddsWhileItIsMadeIsNotRecorded) {
  plan::Plan plan = script_plan("b = counter('n'); c = this.b.add(1); a = step(() => this.b.add(2));", {"a"});
  plan.metrics = {{.name = "n", .kind = plan::MetricKind::kCounter, .reads = {}}};
  ASSERT_EQ(open(plan), "");
  iterate();
  begin_step(0);
  EXPECT_THAT(events_.log, ElementsAre("add 0 0 2", "step 0 of 0 plain"));
}

// --- order ---

TEST_F(ScriptStepsTest, EventsOfFunctionComeInOrderAfterReturn) {
  plan::Plan plan = script_plan(
      "n = counter('orders'); a = step(http, async ({ client }) => { client.http.get('http://t/1'); this.n.add(2); "
      "const r = await client.http.get('http://t/2'); return r; });\n"
      "b = step(() => 1);",
      {"a", "b"});
  plan.metrics = {{.name = "orders", .kind = plan::MetricKind::kCounter, .reads = {}}};
  ASSERT_EQ(open(plan), "");
  ASSERT_EQ(iterate(), IterationStart::kBegun);
  events_.on_end = [&](const HookEnd& end) {
    if (end.hook.index == 0) begin_step(1);
    events_.log.emplace_back("handled");
  };
  begin_step(0);
  EXPECT_THAT(events_.log, ElementsAre("add 0 0 2", "call 0 http://t/1", "call 0 http://t/2"));
  answer(events_.calls[1].number, 200);
  EXPECT_THAT(events_.log, ElementsAre("add 0 0 2", "call 0 http://t/1", "call 0 http://t/2", "step 0 of 0 response",
                                       "handled", "step 1 of 0 plain", "handled"));
  EXPECT_EQ(events_.ends[0].call, events_.calls[1].number);
}

TEST_F(ScriptStepsTest, CallAnsweredInItsEventEndsFunctionLater) {
  ASSERT_EQ(open(script_plan("a = step(http, async ({ client }) => { await client.http.get('http://t/1'); return "
                             "client.http.get('http://t/2'); });",
                             {"a"})),
            "");
  ASSERT_EQ(iterate(), IterationStart::kBegun);
  events_.on_call = [&](const load::ScriptCall& call) {
    load::ScriptAnswer refused;
    refused.error = "not sent";
    script_->answer(call.number, std::move(refused));
  };
  begin_step(0);
  EXPECT_THAT(events_.log, ElementsAre("call 0 http://t/1", "call 0 http://t/2", "step 0 of 0 response"));
}

TEST_F(ScriptStepsTest, NothingOfAnIterationThatIsOverIsTold) {
  ASSERT_EQ(open(script_plan("a = step(http, async ({ client }) => client.http.get('http://t/1'));\n"
                             "b = step(async () => { await sleep('5ms'); console.log('late'); });",
                             {"a", "b"})),
            "");
  ASSERT_EQ(iterate(), IterationStart::kBegun);
  begin_step(0);
  begin_step(1);
  script_->end_iteration(0);
  EXPECT_THAT(events_.let_go, ElementsAre(events_.calls[0].number));
  answer(events_.calls[0].number, 200);
  ASSERT_EQ(iterate(1), IterationStart::kBegun);
  answer(events_.calls[0].number, 200);
  begin_step(1);
  run_until_ends(1);
  EXPECT_THAT(events_.log, ElementsAre("call 0 http://t/1", "step 1 of 0 plain"));
  EXPECT_THAT(events_.lines, ElementsAre("late"));
}

TEST_F(ScriptStepsTest, EndingIterationInHandlerDropsItsEvents) {
  ASSERT_EQ(open(script_plan("a = step(({ client }) => { client.http.get('http://t/1'); client.http.get('http://t/2'); "
                             "return 1; });",
                             {"a"}),
                 2),
            "");
  ASSERT_EQ(iterate(), IterationStart::kBegun);
  ASSERT_EQ(iterate(0, 1), IterationStart::kBegun);
  events_.on_call = [&](const load::ScriptCall& call) {
    if (call.user == 0) script_->end_iteration(0);
  };
  begin_step(0);
  EXPECT_THAT(events_.log, ElementsAre("call 0 http://t/1"));
  begin_step(0, 1);
  EXPECT_THAT(events_.log,
              ElementsAre("call 0 http://t/1", "call 1 http://t/1", "call 1 http://t/2", "step 0 of 1 plain"));
}

TEST_F(ScriptStepsTest, ScriptThatNeverSendsYieldsToTheLoop) {
  ASSERT_EQ(open(script_plan("a = step(() => 1);", {"a"})), "");
  std::uint64_t round = 0;
  events_.on_end = [&](const HookEnd&) {
    if (events_.ends.size() == 2000) return;
    iterate(++round);
    begin_step(0);
  };
  iterate();
  begin_step(0);
  EXPECT_LT(events_.ends.size(), 1000U) << "begin() would not return";
  EXPECT_NE(loop_->timers().next(), MonoTime::max());
  run_until_ends(2000);
}

TEST_F(ScriptStepsTest, TimersOfTheScriptAreThoseOfTheLoop) {
  ASSERT_EQ(
      open(script_plan("a = step(async () => { await sleep('30ms'); let n = 0; await new Promise((done) => { const t "
                       "= setInterval(() => { if (++n === 3) { clearInterval(t); done(); } }, 5); }); });",
                       {"a"})),
      "");
  iterate();
  const MonoTime start = load::EventLoop::now();
  begin_step(0);
  EXPECT_TRUE(events_.ends.empty());
  run_until_ends(1);
  EXPECT_GE(load::EventLoop::now() - start, 45ms);
  EXPECT_EQ(events_.ends.at(0).result, HookEnd::Result::kPlain);
  EXPECT_EQ(loop_->timers().next(), MonoTime::max()) << "nothing is left behind";
}

TEST_F(ScriptStepsTest, TimerCanBeClearedByOneDueAtTheSameTime) {
  ASSERT_EQ(open(script_plan("a = step(async () => { let b; const a = setTimeout(() => clearTimeout(b), 5); b = "
                             "setTimeout(() => { clearTimeout(a); console.log('no'); }, 5); await sleep('20ms'); });",
                             {"a"})),
            "");
  iterate();
  begin_step(0);
  run_until_ends(1);
  EXPECT_THAT(events_.lines, IsEmpty());
}

TEST_F(ScriptStepsTest, EveryEntryIsToldAsAHoldUp) {
  ASSERT_EQ(open(script_plan("a = step(http, async ({ client }) => client.http.get('http://t/1'));", {"a"})), "");
  iterate();
  const std::uint64_t before = events_.entries;
  begin_step(0);
  answer(events_.calls[0].number, 200);
  EXPECT_EQ(events_.entries, before + 2);
}

// --- results ---

TEST_F(ScriptStepsTest, MetricsKeepTheIndexesOfThePlan) {
  plan::Plan plan = script_plan(
      "n = counter('orders'); g = gauge('depth'); a = step(() => { this.n.add(2); this.g.add(7); });\n"
      "size = metric('a', () => 5); half = metric('a', () => 0.5);",
      {"a"});
  plan.metrics = {{.name = "depth", .kind = plan::MetricKind::kGauge, .reads = {}},
                  {.name = "half", .kind = plan::MetricKind::kTrend, .reads = {"a"}},
                  {.name = "size", .kind = plan::MetricKind::kTrend, .reads = {"a"}}};
  ASSERT_EQ(open(plan), "");
  iterate();
  begin_step(0);
  EXPECT_THAT(events_.log, ElementsAre("add 0 0 7", "step 0 of 0 plain")) << "the plan does not have the other";
  script_->begin(0, {.kind = HookKind::kMetric, .index = 1});
  script_->begin(0, {.kind = HookKind::kMetric, .index = 2});
  EXPECT_EQ(events_.ends[1].number, 0.5);
  EXPECT_EQ(events_.ends[1].hook.index, 1U);
  EXPECT_EQ(events_.ends[2].number, 5);
}

TEST_F(ScriptStepsTest, StepAndCheckErrorsAreOneLine) {
  plan::Plan plan = script_plan(
      "a = step(() => { throw new Error('bad'); }); ok = check('a', () => { throw 1; });\n"
      "size = metric('a', () => 'x');",
      {"a"});
  plan.checks = {{.name = "ok", .reads = {"a"}}};
  plan.metrics = {{.name = "size", .kind = plan::MetricKind::kTrend, .reads = {"a"}}};
  ASSERT_EQ(open(plan), "");
  iterate();
  begin_step(0);
  script_->begin(0, {.kind = HookKind::kCheck, .index = 0});
  script_->begin(0, {.kind = HookKind::kMetric, .index = 0});
  ASSERT_EQ(events_.ends.size(), 3U);
  for (const HookEnd& end : events_.ends) EXPECT_EQ(end.result, HookEnd::Result::kFailed);
  EXPECT_THAT(events_.ends[0].text, testing::MatchesRegex("shop\\.js:3:[0-9]+: .*bad"));
  EXPECT_EQ(events_.ends[1].text.find('\n'), std::string::npos);
  EXPECT_THAT(events_.ends[2].text, HasSubstr("must return a number"));
}

// proves: HOOK-CLIENT-4
TEST_F(ScriptStepsTest, AStoredAnswerIsTheResultOfItsStep) {
  plan::Plan plan = script_plan(
      "login = step(http.get('http://t/login'));\n"
      "ok = check('login', ({ login }) => login.status === 201 && login.json().n === 1 && "
      "login.header('x-a') === '1');",
      {"login"});
  plan.steps[0].scripted = false;
  plan.checks = {{.name = "ok", .reads = {"login"}}};
  ASSERT_EQ(open(plan), "");
  iterate();
  load::ScriptAnswer answer;
  answer.status = 201;
  answer.head = "X-A\n1\n";
  answer.body = R"({"n":1})";
  script_->store(0, 0, std::move(answer));
  script_->begin(0, {.kind = HookKind::kCheck, .index = 0});
  EXPECT_TRUE(events_.ends.at(0).flag) << events_.ends[0].text;
}

// --- values and data ---

// proves: HOOK-8, CTX-API-3, CTX-API-5, CTX-API-6
TEST_F(ScriptStepsTest, ValuesOfOtherWorkflowsAreKeptApart) {
  plan::Plan plan;
  plan.script.entry = "shop.js";
  plan.script.workflow = "Reads";
  plan.script.files = {plan::make_blob(
      "shop.js",
      "import { Workflow, step, state } from 'hyperscale';\n"
      "export class One extends Workflow { token = state.provide('Reads', () => 1) }\n"
      "export class Two extends Workflow { token = state.provide('Reads', () => 2);\n"
      "  two = state.provide('Reads', () => 3) }\n"
      "export class Reads extends Workflow { static depends = ['One', 'Two'];\n"
      "  ofOne = state.use('One', ({ token }) => token); ofTwo = state.use('Two', ({ token }) => token);\n"
      "  ofNone = state.use(({ token = 'none' }) => token);\n"
      "  ofBoth = state.use(['Two', 'One'], ({ token = 'none', two = 'none' }) => token + two);\n"
      "  a = step(({ base }) => console.log(this.ofOne(), this.ofTwo(), this.ofNone(), this.ofBoth(), base)) }\n")};
  plan.steps.resize(1);
  plan.steps[0].name = "a";
  plan.steps[0].scripted = true;
  ASSERT_EQ(open(plan), "");
  ASSERT_TRUE(script_->give({{.source = "One", .key = "token", .json = "\"first\""},
                             {.source = "Two", .key = "token", .json = "\"second\""},
                             {.source = "Two", .key = "two", .json = "3"},
                             {.source = "", .key = "setup", .json = R"({"base":7})"}}));
  iterate();
  begin_step(0);
  EXPECT_THAT(events_.lines, ElementsAre("first second none first3 7"));
}

TEST_F(ScriptStepsTest, AValueThatIsNotJsonIsRefused) {
  ASSERT_EQ(open(script_plan("a = step(() => 1);", {"a"})), "");
  EXPECT_FALSE(script_->give({{.source = "", .key = "setup", .json = "{"}}));
}

plan::Plan providing() {
  plan::Plan plan;
  plan.script.entry = "shop.js";
  plan.script.workflow = "Auth";
  plan.script.files = {
      plan::make_blob("shop.js",
                      "import { Workflow, step, state, http } from 'hyperscale';\n"
                      "export class Auth extends Workflow {\n"
                      "  login = step(http, async ({ client }) => client.http.get('http://t/login'));\n"
                      "  token = state.provide('Data', ({ login }) => login.json().token) }\n"
                      "export class Data extends Workflow { static depends = ['Auth'];\n"
                      "  use = state.use('Auth', ({ token }) => token); a = step(() => 1) }\n")};
  plan.script.provides = {{.key = "token", .to = {"Data"}}};
  plan.steps.resize(1);
  plan.steps[0].name = "login";
  plan.steps[0].scripted = true;
  return plan;
}

// proves: CTX-API-9
TEST_F(ScriptStepsTest, ProviderSeesLastResultAfterCutIteration) {
  for (const bool cut : {false, true}) {
    events_.ends.clear();
    ASSERT_EQ(open(providing()), "");
    iterate();
    begin_step(0);
    answer(events_.calls.back().number, 200, R"({"token":"T1"})");
    iterate(1);
    begin_step(0);
    if (cut) script_->end_iteration(0);
    script_->begin(0, {.kind = HookKind::kProvide, .index = 0});
    ASSERT_EQ(events_.ends.size(), 2U);
    EXPECT_EQ(events_.ends[1].text, "\"T1\"") << cut;
  }
}

// proves: CTX-API-9
TEST_F(ScriptStepsTest, ProviderSkipsIterationThatBeganNothing) {
  ASSERT_EQ(open(providing()), "");
  iterate();
  begin_step(0);
  answer(events_.calls.back().number, 200, R"({"token":"T1"})");
  iterate(1);
  script_->begin(0, {.kind = HookKind::kProvide, .index = 0});
  EXPECT_EQ(events_.ends.at(1).text, "\"T1\"");
}

TEST_F(ScriptStepsTest, RowsAreDealtByIterationNumber) {
  plan::Plan plan = script_plan(
      "static data = { users: csv('data/u.csv', { deal: 'once' }), items: jsonl('i.jsonl') };\n"
      "a = step(({ users, items }) => console.log(users.name, items.n));",
      {"a"});
  plan.script.entry = "flows/shop.js";
  plan.script.files[0].name = "flows/shop.js";
  plan.script.files.push_back(plan::make_blob("flows/data/u.csv", "name\nann\nbob\n"));
  plan.script.files.push_back(plan::make_blob("flows/i.jsonl", "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n"));
  ASSERT_EQ(open(plan), "");
  EXPECT_EQ(iterate(0), IterationStart::kBegun);
  begin_step(0);
  EXPECT_EQ(iterate(1), IterationStart::kBegun);
  begin_step(0);
  EXPECT_EQ(iterate(2), IterationStart::kNoRows);
  EXPECT_THAT(events_.lines, ElementsAre("ann 1", "bob 2"));
}

TEST_F(ScriptStepsTest, SetupAndTeardownAreCountedApart) {
  ASSERT_EQ(
      open(script_plan("setup = action(() => ({ base: 7 })); teardown = action(() => {}); a = step(() => 1);", {"a"})),
      "");
  EXPECT_EQ(script_->count(HookKind::kSetup), 1U);
  EXPECT_EQ(script_->count(HookKind::kTeardown), 1U);
  EXPECT_EQ(script_->name({.kind = HookKind::kSetup, .index = 0}), "setup");
  iterate();
  script_->begin(0, {.kind = HookKind::kSetup, .index = 0});
  script_->begin(0, {.kind = HookKind::kTeardown, .index = 0});
  EXPECT_EQ(events_.ends.at(0).text, R"({"base":7})");
  EXPECT_EQ(events_.ends.at(0).hook.kind, HookKind::kSetup);
  EXPECT_EQ(events_.ends.at(1).text, "");
  EXPECT_EQ(events_.ends.at(1).hook.kind, HookKind::kTeardown);
}

}  // namespace
}  // namespace hyperscale::workflow

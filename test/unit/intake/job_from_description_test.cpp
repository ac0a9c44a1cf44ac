#include "intake/job_from_description.h"

#include "intake/hook_label.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::intake {
namespace {

using testing::ElementsAre;
using workflow::Hook;

Hook plain(const std::string& name) {
  Hook hook;
  hook.name = name;
  hook.scripted = false;
  hook.request.emplace();
  hook.request->request.url = "http://127.0.0.1/" + name;
  return hook;
}

Hook function(const std::string& name, plan::HookKind kind = plan::HookKind::kStep,
              std::vector<std::string> depends = {}) {
  Hook hook;
  hook.name = name;
  hook.kind = kind;
  hook.depends = std::move(depends);
  return hook;
}

workflow::Workflow shop(std::vector<Hook> hooks) {
  workflow::Workflow out;
  out.name = "Shop";
  out.hooks = std::move(hooks);
  return out;
}

plan::Plan settings() {
  plan::Plan plan;
  plan.script.entry = "shop.js";
  plan.script.files = {plan::make_blob("shop.js", "text")};
  plan.tags = {{.name = "run", .value = "1"}};
  return plan;
}

plan::Plan plan_of(std::vector<Hook> hooks) {
  workflow::Description description;
  description.workflows = {shop(std::move(hooks))};
  const auto job = job_of(description, settings());
  EXPECT_TRUE(job);
  return job->job.workflows.at(0).plan;
}

TEST(JobFromDescription, AWorkflowOfPlainRequestsNeedsNoScript) {
  const plan::Plan plan = plan_of({plain("home")});
  EXPECT_FALSE(plan.script.exists());
  EXPECT_TRUE(plan.script.files.empty()) << "it would be sent to every executor";
  EXPECT_FALSE(plan.steps[0].scripted);
  EXPECT_FALSE(plan.steps[0].answer_read);
}

TEST(JobFromDescription, DataAloneNeedsTheScript) {
  workflow::Description description;
  description.workflows = {shop({plain("home")})};
  description.workflows[0].data.emplace_back();
  EXPECT_TRUE(job_of(description, settings())->job.workflows[0].plan.script.exists());
}

// proves: CTX-API-9
TEST(JobFromDescription, AnAnswerIsKeptOnlyWhereAFunctionCanSeeIt) {
  Hook early = function("early");
  Hook later = function("later");
  later.layer = 1;
  EXPECT_FALSE(plan_of({plain("home"), early}).steps[0].answer_read) << "a function of the same layer does not wait";
  EXPECT_TRUE(plan_of({plain("home"), later}).steps[0].answer_read) << "every earlier result is in its context";
  const auto checked = plan_of({plain("home"), plain("other"), function("ok", plan::HookKind::kCheck, {"home"})});
  EXPECT_TRUE(checked.steps[0].answer_read);
  EXPECT_FALSE(checked.steps[1].answer_read);
  EXPECT_TRUE(plan_of({plain("home"), function("n", plan::HookKind::kMetric, {"home"})}).steps[0].answer_read);
  EXPECT_FALSE(plan_of({plain("home"), function("setup", plan::HookKind::kAction)}).steps[0].answer_read);
  Hook provide = function("token", plan::HookKind::kState, {"Other"});
  provide.direction = workflow::StateDirection::kProvide;
  EXPECT_TRUE(plan_of({plain("home"), provide}).steps[0].answer_read);
  EXPECT_FALSE(plan_of({early}).steps[0].answer_read) << "of a function it is always kept";
}

TEST(JobFromDescription, ARequestKeepsItsTimeoutExpectationAndTags) {
  Hook home = plain("home");
  home.tags = {{.name = "team", .value = "web"}};
  home.request->timeout = 3s;
  home.request->expect.statuses = {204};
  home.request->tags = {{.name = "kind", .value = "read"}};
  const plan::Plan plan = plan_of({home});
  EXPECT_EQ(plan.steps[0].timeout, 3s);
  EXPECT_THAT(plan.steps[0].expect.statuses, ElementsAre(204));
  EXPECT_EQ(plan.steps[0].tags,
            (std::vector<plan::Tag>{{.name = "team", .value = "web"}, {.name = "kind", .value = "read"}}));
}

TEST(HookLabel, IsGroupAndRequestOrHookName) {
  Hook home = plain("home");
  EXPECT_EQ(label_of(home), "home");
  home.group = "web";
  EXPECT_EQ(label_of(home), "web/home");
  home.request->name = "front";
  EXPECT_EQ(label_of(home), "web/front");
  home.request->group = "edge";
  EXPECT_EQ(label_of(home), "edge/front") << "the request's own is nearer";
  Hook buy = function("buy");
  buy.group = "shop";
  EXPECT_EQ(label_of(buy), "shop/buy");
}

TEST(JobFromDescription, AStepHasALabelOnlyIfItIsNotItsName) {
  Hook renamed = plain("home");
  renamed.request->name = "front";
  EXPECT_EQ(plan_of({renamed}).steps[0].label, "front");
  EXPECT_EQ(plan_of({renamed}).steps[0].name, "home");
  EXPECT_EQ(plan_of({plain("home")}).steps[0].label, "");
}

TEST(JobFromDescription, FileMetricsAreAppendedToHookMetrics) {
  workflow::Description description;
  Hook size = function("size", plan::HookKind::kMetric, {"buy"});
  size.metric = plan::MetricKind::kTrend;
  description.workflows = {shop({function("buy"), size, function("ok", plan::HookKind::kCheck, {"buy"})})};
  description.metrics = {{.name = "orders", .kind = plan::MetricKind::kCounter}};
  const auto job = job_of(description, settings());
  const plan::Plan& plan = job->job.workflows[0].plan;
  EXPECT_EQ(plan.metrics,
            (std::vector<plan::Metric>{{.name = "size", .kind = plan::MetricKind::kTrend, .reads = {"buy"}},
                                       {.name = "orders", .kind = plan::MetricKind::kCounter, .reads = {}}}));
  EXPECT_EQ(plan.checks, (std::vector<plan::Check>{{.name = "ok", .reads = {"buy"}}}));
  EXPECT_TRUE(plan.steps[0].scripted);
}

// proves: CTX-API-4, CTX-API-5
TEST(JobFromDescription, ValueIsProvidedOnlyIfBothSidesNameIt) {
  const auto provided_to = [](std::vector<std::string> names, std::vector<std::string> used) {
    Hook provide = function("token", plan::HookKind::kState, std::move(names));
    provide.direction = workflow::StateDirection::kProvide;
    Hook use = function("mine", plan::HookKind::kState, std::move(used));
    use.direction = workflow::StateDirection::kUse;
    workflow::Description description;
    description.workflows = {shop({provide}), shop({use})};
    description.workflows[1].name = "Data";
    const auto job = job_of(description, settings());
    return job->job.workflows[0].plan.script.provides;
  };
  EXPECT_EQ(provided_to({"Data"}, {"Shop"}), (std::vector<plan::ProvidedKey>{{.key = "token", .to = {"Data"}}}));
  EXPECT_TRUE(provided_to({"Data"}, {}).empty());
  EXPECT_TRUE(provided_to({}, {"Shop"}).empty());
  EXPECT_TRUE(provided_to({"Other"}, {"Shop"}).empty());
  EXPECT_TRUE(provided_to({"Data"}, {"Other"}).empty());
}

// proves: CTX-API-6
TEST(JobFromDescription, AValueIsProvidedToEveryTarget) {
  Hook provide = function("token", plan::HookKind::kState, {"Data", "More"});
  provide.direction = workflow::StateDirection::kProvide;
  Hook use = function("mine", plan::HookKind::kState, {"Shop"});
  use.direction = workflow::StateDirection::kUse;
  workflow::Description description;
  description.workflows = {shop({provide}), shop({use}), shop({use})};
  description.workflows[1].name = "Data";
  description.workflows[2].name = "More";
  EXPECT_EQ(job_of(description, settings())->job.workflows[0].plan.script.provides,
            (std::vector<plan::ProvidedKey>{{.key = "token", .to = {"Data", "More"}}}));
}

// proves: HOOK-4, EXEC-PRIO-4, DAG-WF-4
// proves part: HOOK-1 (all, steps as a list; not: step('a', 'b', ...), nor a check or metric of no step)
TEST(JobFromDescription, PriorityLoadAndOrderAreThoseOfTheFile) {
  workflow::Description description;
  description.workflows = {shop({plain("home")}), shop({plain("home")})};
  workflow::Workflow& declared = description.workflows[1];
  declared.name = "Data";
  declared.depends = {"Shop", "Other"};
  declared.priority = plan::Priority::kExclusive;
  declared.load.vus = 70'000;
  declared.load.duration = 5min;
  for (const bool is_test : {true, false}) {
    declared.is_test = is_test;
    const plan::Workflow made = job_of(description, settings())->job.workflows.at(1);
    EXPECT_EQ(made.is_test, is_test);
    EXPECT_EQ(made.priority, plan::Priority::kExclusive);
    EXPECT_THAT(made.depends, ElementsAre("Shop", "Other"));
    EXPECT_EQ(made.plan.name, "Data");
    EXPECT_EQ(made.plan.load.vus, 70'000U);
    EXPECT_EQ(made.plan.load.duration, 5min);
  }
}

TEST(JobFromDescription, SetupAndTeardownAreNoted) {
  Hook setup = function("setup", plan::HookKind::kAction);
  Hook teardown = function("teardown", plan::HookKind::kAction);
  teardown.when = workflow::ActionTime::kTeardown;
  EXPECT_TRUE(plan_of({setup}).script.has_setup);
  EXPECT_FALSE(plan_of({setup}).script.has_teardown);
  EXPECT_TRUE(plan_of({teardown}).script.has_teardown);
  EXPECT_FALSE(plan_of({teardown}).script.has_setup);
  EXPECT_EQ(plan_of({setup}).script.workflow, "Shop");
}

// proves part: LOCAL-6 (name, mode, timeout, tags of one workflow; not: tags of several kept apart in results)
TEST(JobFromDescription, TagsOfTheWorkflowFollowThoseOfTheRun) {
  workflow::Description description;
  description.workflows = {shop({plain("home")})};
  description.workflows[0].tags = {{.name = "team", .value = "web"}};
  EXPECT_EQ(job_of(description, settings())->job.workflows[0].plan.tags,
            (std::vector<plan::Tag>{{.name = "run", .value = "1"}, {.name = "team", .value = "web"}}));
  description.workflows.push_back(shop({plain("home")}));
  description.workflows[1].name = "Data";
  description.workflows[1].tags = {{.name = "team", .value = "data"}};
  const auto both = job_of(description, settings());
  EXPECT_EQ(both->job.workflows[0].plan.tags[1], (plan::Tag{.name = "team", .value = "web"}));
  EXPECT_EQ(both->job.workflows[1].plan.tags[1], (plan::Tag{.name = "team", .value = "data"}));
}

}  // namespace
}  // namespace hyperscale::intake

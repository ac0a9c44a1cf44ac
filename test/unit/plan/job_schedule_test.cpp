#include "plan/job_schedule.h"

#include <gmock/gmock.h>

namespace hyperscale::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

Workflow workflow(const std::string& name, Priority priority = Priority::kAuto, std::vector<std::string> depends = {},
                  bool is_test = true) {
  Workflow made;
  made.plan.name = name;
  made.plan.load.vus = 100;
  made.priority = priority;
  made.depends = std::move(depends);
  made.is_test = is_test;
  return made;
}

JobSchedule schedule(std::vector<Workflow> workflows, std::uint32_t pool) {
  const auto made = schedule_of({.name = "job", .workflows = std::move(workflows)}, pool);
  EXPECT_TRUE(made) << made.error().context;
  return *made;
}

// Names and numbers of cores, stage by stage.
std::vector<std::vector<std::pair<std::string, std::size_t>>> shape(const std::vector<Workflow>& workflows,
                                                                    std::uint32_t pool) {
  std::vector<std::vector<std::pair<std::string, std::size_t>>> out;
  for (const auto& stage : schedule(workflows, pool).stages) {
    out.emplace_back();
    for (const Placement& each : stage) out.back().emplace_back(workflows[each.workflow].plan.name, each.cores.size());
  }
  return out;
}

// proves: DAG-WF-2, EXEC-PRIO-1, EXEC-PRIO-4, EXEC-PRIO-5
// proves part: DAG-WF-1 (the schedule of a job; not a manager)
TEST(JobSchedule, TheExampleOfTheCatalogueInLayers) {
  EXPECT_THAT(shape({workflow("Setup", Priority::kAuto, {}, false), workflow("LoadTest", Priority::kHigh),
                     workflow("Analytics", Priority::kLow), workflow("Validate", Priority::kLow, {"LoadTest"}),
                     workflow("Report", Priority::kAuto, {"Validate", "LoadTest"}, false)},
                    24),
              ElementsAre(ElementsAre(Pair("Setup", 1), Pair("LoadTest", 18), Pair("Analytics", 6)),
                          ElementsAre(Pair("Validate", 6)), ElementsAre(Pair("Report", 1))));
}

// proves: CTX-API-6
TEST(JobSchedule, AWorkflowFollowsAllItsDependencies) {
  for (const std::vector<std::string>& both : {std::vector<std::string>{"First", "Second"}, {"Second", "First"}}) {
    EXPECT_THAT(
        shape({workflow("First"), workflow("Second", Priority::kAuto, {"First"}),
               workflow("Third", Priority::kAuto, both)},
              4),
        ElementsAre(ElementsAre(Pair("First", 4)), ElementsAre(Pair("Second", 4)), ElementsAre(Pair("Third", 4))));
  }
}

// proves part: EXEC-PRIO-3 (the schedule; not that a run accepts so many users, nor its executors)
TEST(JobSchedule, UsersDoNotDecideHowManyCores) {
  Workflow few = workflow("few");
  few.plan.load.vus = 1;
  Workflow many = workflow("many");
  many.plan.load.vus = 60'000;
  EXPECT_THAT(shape({few, many}, 8), ElementsAre(ElementsAre(Pair("few", 4), Pair("many", 4))));
}

// proves: EXEC-VU-1, EXEC-VU-2
// proves part: EXEC-VU-3 (computed and kept by the schedule of a job; not by a manager)
TEST(JobSchedule, KeepsTheUsersOfEachCoreOfEachWorkflow) {
  Workflow shop = workflow("Shop", Priority::kHigh);
  shop.plan.load.vus = 2'000;
  Workflow search = workflow("Search", Priority::kLow);
  search.plan.load.vus = 333;
  EXPECT_THAT(
      schedule(
          {shop, search, workflow("Later", Priority::kLow, {"Shop"}), workflow("Setup", Priority::kAuto, {}, false)}, 8)
          .workflow_vus,
      ElementsAre(Pair("Later", ElementsAre(50, 50)), Pair("Search", ElementsAre(166, 167)),
                  Pair("Setup", ElementsAre(100)), Pair("Shop", ElementsAre(333, 333, 333, 333, 333, 335))));
}

// proves part: EXEC-PRIO-2 (the default, and the pool in a plan; a run starts no more executors than users)
TEST(JobSchedule, LoneWorkflowWithoutPriorityGetsWholePool) {
  Workflow lone;
  lone.plan.name = "Lone";
  EXPECT_THAT(shape({lone}, 24), ElementsAre(ElementsAre(Pair("Lone", 24))));
}

// proves: EXEC-PRIO-4
TEST(JobSchedule, WhatTestsNothingHasOneCoreInEveryCase) {
  for (const Priority priority :
       {Priority::kLow, Priority::kAuto, Priority::kNormal, Priority::kHigh, Priority::kExclusive}) {
    for (const std::uint32_t vus : {1U, 60'000U}) {
      for (const std::uint32_t pool : {1U, 8U}) {
        Workflow setup = workflow("Setup", priority, {}, false);
        setup.plan.load.vus = vus;
        EXPECT_THAT(shape({setup}, pool), ElementsAre(ElementsAre(Pair("Setup", 1))));
      }
    }
  }
}

// proves: DAG-WF-3
TEST(JobSchedule, WorkflowsShareCoresOnlyIfThereAreTooFew) {
  const auto enough = schedule({workflow("a"), workflow("b")}, 4);
  ASSERT_THAT(enough.stages, testing::SizeIs(1));
  EXPECT_THAT(enough.stages[0][0].cores, ElementsAre(0, 1));
  EXPECT_THAT(enough.stages[0][1].cores, ElementsAre(2, 3));
  EXPECT_THAT(enough.warnings, IsEmpty());

  const auto tight = schedule({workflow("a"), workflow("b"), workflow("c")}, 2);
  ASSERT_THAT(tight.stages, testing::SizeIs(1)) << "workflows of a layer run together";
  EXPECT_THAT(tight.stages[0][2].cores, ElementsAre(0, 1));
  EXPECT_THAT(tight.warnings, ElementsAre(HasSubstr("2 cores are shared by workflows a, b, c")));
}

TEST(JobSchedule, AnExclusiveWorkflowHasTheStageToItself) {
  EXPECT_THAT(shape({workflow("a"), workflow("only", Priority::kExclusive), workflow("b")}, 4),
              ElementsAre(ElementsAre(Pair("only", 4)), ElementsAre(Pair("a", 2), Pair("b", 2))));
}

TEST(JobSchedule, RefusesWhatCannotRun) {
  const auto error_of = [](std::vector<Workflow> workflows) {
    return schedule_of({.name = "job", .workflows = std::move(workflows)}, 2).error().context;
  };
  EXPECT_THAT(error_of({}), HasSubstr("no workflow"));
  EXPECT_THAT(error_of({workflow("a", Priority::kAuto, {"b"}), workflow("b", Priority::kAuto, {"a"})}),
              HasSubstr("workflows depend on each other in a circle"));
  EXPECT_THAT(error_of({workflow("Shop"), workflow("After", Priority::kAuto, {"Shp"})}),
              HasSubstr("did you mean \"Shop\"?"));
}

}  // namespace
}  // namespace hyperscale::plan

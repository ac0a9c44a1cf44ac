#include "node/local/local_runner.h"
#include "scripted_executor.h"
#include "scripted_run.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

using results::WorkflowEnd;
using testing::ElementsAre;
using testing::HasSubstr;

// A job without workflows, to which each test adds its own.
RunRequest empty_run() {
  RunRequest request = scripted_run("steady");
  request.job.workflows.clear();
  return request;
}

plan::Workflow& add(RunRequest& request, const std::string& name, const std::string& script,
                    std::vector<std::string> depends = {}) {
  plan::Workflow workflow = scripted_run(script).job.workflows.front();
  workflow.plan.name = name;
  workflow.plan.load.iterations = 20;
  workflow.depends = std::move(depends);
  request.job.workflows.push_back(std::move(workflow));
  return request.job.workflows.back();
}

results::RunResult result_of(const RunRequest& request) {
  auto end = run(request);
  EXPECT_TRUE(end) << (end ? "" : end.error().context);
  return end ? std::move(end->result) : results::RunResult();
}

const results::WorkflowReport& report_of(const results::RunResult& result, const std::string& name) {
  const auto found = std::ranges::find(result.workflows, name, &results::WorkflowReport::name);
  EXPECT_NE(found, result.workflows.end()) << name;
  return *found;
}

// proves: DAG-WF-2, DAG-WF-3, DAG-WF-4
TEST(LocalRunnerWorkflows, LayersRunInOrderWorkflowsInParallel) {
  RunRequest request = empty_run();
  add(request, "Report", "steady", {"Validate", "Load"});
  add(request, "Validate", "steady", {"Load"});
  add(request, "Load", "steady").plan.load.iterations = 60;
  add(request, "Setup", "steady");
  const results::RunResult result = result_of(request);
  const auto ended = [&](const std::string& name) {
    const results::WorkflowReport& report = report_of(result, name);
    return report.begin + report.elapsed;
  };
  EXPECT_EQ(report_of(result, "Load").begin, report_of(result, "Setup").begin);
  EXPECT_GE(report_of(result, "Validate").begin, std::max(ended("Load"), ended("Setup")));
  EXPECT_GE(report_of(result, "Report").begin, ended("Validate"));
  EXPECT_EQ(report_of(result, "Report").layer, 2U);
  for (const results::WorkflowReport& report : result.workflows) EXPECT_EQ(report.end, WorkflowEnd::kCompleted);
}

// Every dependency counts, in whatever order they are named, also when none of them implies another.
// proves: DAG-WF-2, DAG-WF-4
TEST(LocalRunnerWorkflows, TheLastOfAllDependenciesDecides) {
  RunRequest request = empty_run();
  add(request, "First", "steady");
  add(request, "Second", "steady", {"First"});
  add(request, "Other", "steady");
  add(request, "Ordered", "steady", {"First", "Second"});
  add(request, "Mixed", "steady", {"Other", "Second"});
  const results::RunResult result = result_of(request);
  const results::WorkflowReport& second = report_of(result, "Second");
  for (const char* name : {"Ordered", "Mixed"}) {
    EXPECT_EQ(report_of(result, name).layer, 2U) << name;
    EXPECT_GE(report_of(result, name).begin, second.begin + second.elapsed) << name;
    EXPECT_EQ(report_of(result, name).end, WorkflowEnd::kCompleted) << name;
  }
}

TEST(LocalRunnerWorkflows, FiguresArePerWorkflowAndStepAndTogether) {
  RunRequest request = empty_run();
  add(request, "A", "steady");
  add(request, "B", "steady").plan.load.iterations = 30;
  const results::RunResult result = result_of(request);
  EXPECT_EQ(result.total_counts().requests(), 50U);
  EXPECT_EQ(result.iterations, 50U);
  ASSERT_EQ(result.steps.size(), 2U);
  EXPECT_EQ(result.steps[0].name, "A.steady");
  EXPECT_EQ(result.steps[0].counts.requests(), 20U);
  EXPECT_EQ(result.steps[1].name, "B.steady");
  EXPECT_EQ(report_of(result, "B").requests, 30U);
  EXPECT_EQ(report_of(result, "B").load_description, "10 users, 30 iterations");
  EXPECT_EQ(result.load_description, "2 workflows");
  EXPECT_EQ(result.target, "http://127.0.0.1/x");
  std::uint64_t in_windows = 0;
  for (const results::Window& window : result.windows) in_windows += window.requests;
  EXPECT_EQ(in_windows, 50U);
  std::vector<std::uint32_t> numbers;
  for (const results::ExecutorReport& executor : result.executors) numbers.push_back(executor.index);
  EXPECT_THAT(numbers, ElementsAre(0, 1)) << "one core each";
}

// proves: DAG-WF-4
TEST(LocalRunnerWorkflows, DependentsOfFailedWorkflowAreNotRun) {
  RunRequest request = empty_run();
  add(request, "Broken", "dies always").plan.load.iterations = 60;
  add(request, "Fine", "steady");
  add(request, "NeedsBroken", "steady", {"Broken"});
  add(request, "NeedsThat", "steady", {"NeedsBroken"});
  add(request, "NeedsFine", "steady", {"Fine"});
  add(request, "NeedsBoth", "steady", {"Fine", "Broken"});
  add(request, "NeedsBothToo", "steady", {"Broken", "Fine"});
  const results::RunResult result = result_of(request);
  EXPECT_EQ(report_of(result, "Broken").end, WorkflowEnd::kFailed);
  EXPECT_EQ(report_of(result, "NeedsBroken").end, WorkflowEnd::kNotRun);
  EXPECT_EQ(report_of(result, "NeedsBroken").message, "workflow Broken, on which it depends, failed");
  EXPECT_EQ(report_of(result, "NeedsThat").end, WorkflowEnd::kNotRun);
  for (const char* name : {"NeedsBoth", "NeedsBothToo"}) {
    EXPECT_EQ(report_of(result, name).end, WorkflowEnd::kNotRun) << name << ": one of two is not enough";
    EXPECT_EQ(report_of(result, name).message, "workflow Broken, on which it depends, failed") << name;
  }
  EXPECT_EQ(report_of(result, "NeedsFine").end, WorkflowEnd::kCompleted);
  EXPECT_EQ(report_of(result, "NeedsFine").requests, 20U);
  EXPECT_TRUE(result.partial);
}

// proves: EXEC-PRIO-1
TEST(LocalRunnerWorkflows, AnExclusiveOneRunsAlone) {
  RunRequest request = empty_run();
  add(request, "Shared", "steady");
  add(request, "Only", "steady").priority = plan::Priority::kExclusive;
  const results::RunResult result = result_of(request);
  const results::WorkflowReport& only = report_of(result, "Only");
  EXPECT_EQ(only.cores, 2U);
  EXPECT_GE(report_of(result, "Shared").begin, only.begin + only.elapsed);
}

TEST(LocalRunnerWorkflows, AStartOffsetIsKept) {
  RunRequest request = empty_run();
  add(request, "Now", "steady");
  add(request, "Later", "steady").start_offset = 30ms;
  const results::RunResult result = result_of(request);
  EXPECT_EQ(report_of(result, "Later").begin - report_of(result, "Now").begin, 30ms);
}

TEST(LocalRunnerWorkflows, AStopEndsWhatRunsAndLeavesOutTheRest) {
  RunRequest request = empty_run();
  add(request, "Running", "interrupts").plan.load.iterations = 0;
  add(request, "Waiting", "steady", {"Running"});
  const results::RunResult result = result_of(request);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(report_of(result, "Running").end, WorkflowEnd::kStopped);
  EXPECT_EQ(report_of(result, "Waiting").end, WorkflowEnd::kNotRun);
  EXPECT_EQ(report_of(result, "Waiting").message, "the run was stopped before it began");
  EXPECT_FALSE(result.partial);
}

TEST(LocalRunnerWorkflows, TooFewCoresAreSaid) {
  RunRequest request = empty_run();
  for (const char* name : {"A", "B", "C"}) add(request, name, "steady");
  EXPECT_THAT(result_of(request).warnings, testing::Contains(HasSubstr("2 cores are shared by workflows A, B, C")));
}

TEST(LocalRunnerWorkflows, ARefusalNamesTheWorkflow) {
  RunRequest request = empty_run();
  add(request, "Good", "steady");
  add(request, "Bad", "refuses");
  const auto end = run(request);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().context, "workflow Bad: this plan cannot run here");
}

}  // namespace
}  // namespace hyperscale::node

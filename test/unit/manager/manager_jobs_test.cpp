// Jobs that go well, and jobs that cannot: ManagerCore with workers that do what they should.
#include "datacenter.h"
#include "some_job.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::manager {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr auto kDispatch = [](const wire::JobQuestion& each) {
  return std::holds_alternative<wire::WorkflowDispatch>(each);
};
constexpr auto kRelease = [](const wire::JobQuestion& each) {
  return std::holds_alternative<wire::ResultRelease>(each);
};

std::vector<std::string> names(const std::vector<jobs::Record>& records) {
  std::vector<std::string> names;
  for (const jobs::Record& each : records) names.emplace_back(jobs::name(each));
  return names;
}

template <typename Kind>
std::vector<Kind> only(const std::vector<jobs::Record>& records) {
  std::vector<Kind> kinds;
  for (const jobs::Record& each : records)
    if (const auto* kind = std::get_if<Kind>(&each)) kinds.push_back(*kind);
  return kinds;
}

std::vector<JobState> states(const Datacenter& datacenter, const std::string& job) {
  std::vector<JobState> states;
  for (const auto& each : datacenter.pushed<StateChanged>(job)) states.push_back(each.state);
  return states;
}

class ManagerJobs : public testing::Test {
 protected:
  ~ManagerJobs() override { EXPECT_THAT(datacenter_.broken(), IsEmpty()) << datacenter_.story(); }

  void add_workers(std::uint32_t count, std::uint32_t cores) {
    for (std::uint32_t i = 1; i <= count; ++i) datacenter_.add_worker("w" + std::to_string(i), cores);
  }
  RequestId submit(const std::vector<SomeWorkflow>& workflows, const std::string& id = "job") {
    return datacenter_.submit(some_submission(id, some_job(workflows)));
  }
  void finish() { ASSERT_TRUE(datacenter_.run_until_over()) << datacenter_.story(); }
  // Nothing is left of the job, on either side.
  void expect_clean() {
    datacenter_.run_for(30s);
    EXPECT_EQ(datacenter_.core().pool().reserved_total(), 0U);
    EXPECT_EQ(datacenter_.core().questions(), 0U);
    EXPECT_EQ(datacenter_.core().fetches().in_flight(), 0U);
  }
  const WorkflowRun& run(std::uint32_t index, const std::string& id = "job") { return datacenter_.job(id).runs[index]; }

  Datacenter datacenter_;
};

TEST_F(ManagerJobs, RunsAJobToItsEnd) {
  add_workers(2, 4);
  const RequestId request = submit({{.name = "Load"}});
  finish();
  EXPECT_TRUE(datacenter_.submit_answers().at(request).accepted);
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  EXPECT_THAT(names(datacenter_.records("job")),
              ElementsAre("job led", "job accepted", "provisioned", "workflow merged", "job completed"));
  using enum JobState;
  EXPECT_THAT(states(datacenter_, "job"), ElementsAre(kQueued, kDispatching, kRunning, kCompleting, kCompleted));
  EXPECT_THAT(datacenter_.asked(kDispatch), SizeIs(2));
  EXPECT_THAT(datacenter_.asked(kRelease), SizeIs(2));
  EXPECT_THAT(datacenter_.counted(), SizeIs(2));
  EXPECT_THAT(datacenter_.pushed<WorkflowOver>("job"), SizeIs(1));
  expect_clean();
  for (const char* worker : {"w1", "w2"}) EXPECT_EQ(datacenter_.worker(worker).attempts(), 0U);
}

// Users and slots of a workflow are divided over its shares as over the executors of one machine.
TEST_F(ManagerJobs, SharesAreTheSlotsOfOneMachine) {
  add_workers(3, 2);
  submit({{.name = "Load", .vus = 32}});
  datacenter_.run_for(1s);
  std::uint32_t slots = 0;
  std::set<std::string> contents;
  for (const auto& each : datacenter_.asked(kDispatch)) {
    const auto& dispatch = std::get<wire::WorkflowDispatch>(each.message);
    EXPECT_EQ(dispatch.content_bytes, dispatch.content.size());
    contents.emplace(dispatch.content.text());
    slots += 2;
  }
  EXPECT_EQ(slots, 6U);
  // 32 users on 6 slots: five each, and the rest in the last one.
  EXPECT_THAT(contents, ElementsAre("2 job/0.1.0 Load slots 0+2 of 6 users 10 version 0",
                                    "2 job/0.1.1 Load slots 2+2 of 6 users 10 version 0",
                                    "2 job/0.1.2 Load slots 4+2 of 6 users 12 version 0"));
}

TEST_F(ManagerJobs, SharesStartAtOneMoment) {
  add_workers(4, 2);
  submit({{.name = "A"}, {.name = "B", .start_offset = 3s}});
  finish();
  std::map<std::uint32_t, std::vector<MonoTime>> begins;
  for (const Execution& each : datacenter_.executions()) begins[each.attempt.share.workflow].push_back(each.begin);
  for (auto& [workflow, times] : begins) {
    std::ranges::sort(times);
    EXPECT_LE(times.back() - times.front(), 5ms) << workflow;  // of the network
  }
  const Duration offset = begins[1].front() - begins[0].front();
  EXPECT_GE(offset, 3s - 5ms);
  EXPECT_LE(offset, 3s + kManagerTick + 5ms);
}

// proves part: DAG-WF-1 (the core; no manager runs with it yet)
// proves part: DAG-WF-4 (the core; no manager runs with it yet)
// proves part: EXEC-LAYER-3 (the core; no manager runs with it yet)
// proves part: EXEC-LAYER-1 (the layers run in sequence, and a layer's workflows together)
// proves part: EXEC-LAYER-4 (layers and contexts; threads are tested with the provisioner)
// proves part: CTX-SYNC-9 (a dispatch has the context of the dependencies only)
TEST_F(ManagerJobs, LayersRunInOrderWithTheirContext) {
  add_workers(3, 8);
  plan::Job job = some_job({{.name = "Setup", .is_test = false},
                            {.name = "LoadTest", .priority = plan::Priority::kHigh},
                            {.name = "Analytics", .priority = plan::Priority::kLow},
                            {.name = "Validate", .depends = {"LoadTest"}},
                            {.name = "Report", .depends = {"Validate", "LoadTest"}, .is_test = false}});
  for (const std::uint32_t provider : {0U, 1U, 3U})
    job.workflows[provider].plan.script.provides = {{"key", {"Validate", "Report"}}};
  datacenter_.submit(some_submission("job", std::move(job)));
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  const auto syncs = only<jobs::LayerSync>(datacenter_.records("job"));
  ASSERT_THAT(syncs, SizeIs(2));  // nothing follows the last layer
  EXPECT_EQ(syncs[0].version, 1U);
  EXPECT_EQ(syncs[1].version, 2U);

  std::map<std::uint32_t, std::pair<MonoTime, MonoTime>> spans;  // first begin, last end
  for (const Execution& each : datacenter_.executions()) {
    auto [known, is_new] = spans.try_emplace(each.attempt.share.workflow, each.begin, each.end);
    if (!is_new) known->second.second = std::max(known->second.second, each.end);
  }
  for (const std::uint32_t first : {0U, 1U, 2U}) EXPECT_LT(spans[first].second, spans[3].first) << first;
  EXPECT_LT(spans[0].first, spans[1].second);  // together
  EXPECT_LT(spans[3].second, spans[4].first);
  for (const auto& each : datacenter_.asked(kDispatch)) {
    const auto& dispatch = std::get<wire::WorkflowDispatch>(each.message);
    const std::string text(dispatch.content.text());
    const bool gets_load = dispatch.attempt.share.workflow >= 3, gets_validate = dispatch.attempt.share.workflow == 4;
    EXPECT_EQ(text.find("LoadTest.key") != std::string::npos, gets_load) << text;
    EXPECT_EQ(text.find("Validate.key") != std::string::npos, gets_validate) << text;
    EXPECT_EQ(text.find("Setup.key"), std::string::npos) << text;
  }
}

TEST_F(ManagerJobs, SetupRunsOnceBeforeAndTeardownOnceAfter) {
  add_workers(2, 2);
  submit({{.name = "Load", .setup = true, .teardown = true}});
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  std::vector<Execution> executions = datacenter_.executions();
  std::ranges::sort(executions, {}, &Execution::begin);
  ASSERT_THAT(executions, SizeIs(4));
  EXPECT_EQ(executions.front().attempt.share.part, wire::SharePart::kSetup);
  EXPECT_EQ(executions.back().attempt.share.part, wire::SharePart::kTeardown);
  EXPECT_GT(executions[1].begin, executions[0].end);
  EXPECT_GT(executions[3].begin, std::max(executions[1].end, executions[2].end));
  EXPECT_THAT(names(datacenter_.records("job")),
              ElementsAre("job led", "job accepted", "provisioned", "setup done", "provisioned", "workflow merged",
                          "provisioned", "job completed"));
  const auto starts = datacenter_.asked(
      [](const wire::JobQuestion& each) { return std::holds_alternative<wire::WorkflowStart>(each); });
  ASSERT_THAT(starts, SizeIs(4));
  for (std::size_t i = 1; i < 4; ++i)
    EXPECT_THAT(std::get<wire::WorkflowStart>(starts[i].message).values, SizeIs(1)) << i;
  expect_clean();
  EXPECT_EQ(datacenter_.worker("w1").attempts() + datacenter_.worker("w2").attempts(), 0U);
}

TEST_F(ManagerJobs, FailedSetupFailsItsWorkflow) {
  add_workers(1, 2);
  datacenter_.worker("w1").ends[{"job", 0, wire::SharePart::kSetup, 0}] = wire::AttemptEnd::kFailed;
  submit({{.name = "Load", .setup = true, .teardown = true}});
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kFailed);
  EXPECT_EQ(datacenter_.job("job").record.reason(), "its setup failed: it threw");
  EXPECT_THAT(datacenter_.executions(), SizeIs(1));  // neither steps nor teardown
  expect_clean();
  EXPECT_EQ(datacenter_.worker("w1").attempts(), 0U);
}

// proves part: EXEC-STATE-2 (a workflow's error starts no retry)
// proves part: RES-5 (the core; no manager runs with it yet)
TEST_F(ManagerJobs, OwnErrorOfAWorkflowIsNotRetried) {
  add_workers(2, 2);
  datacenter_.worker("w1").ends[{"job", 0, wire::SharePart::kSteps, 0}] = wire::AttemptEnd::kFailed;
  datacenter_.worker("w2").ends[{"job", 0, wire::SharePart::kSteps, 0}] = wire::AttemptEnd::kFailed;
  submit({{.name = "Load"}, {.name = "After", .depends = {"Load"}}, {.name = "Other"}});
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kPartial);
  EXPECT_EQ(run(0).end, jobs::WorkflowEnd::kFailed);
  EXPECT_THAT(run(0).error, HasSubstr("it threw"));
  EXPECT_TRUE(run(0).result.has_value());  // what was measured stays
  EXPECT_EQ(run(1).end, jobs::WorkflowEnd::kNotRun);
  EXPECT_EQ(run(1).error, "workflow Load, on which it depends, has not completed");
  EXPECT_EQ(run(2).end, jobs::WorkflowEnd::kCompleted);
  EXPECT_THAT(only<jobs::AttemptEnded>(datacenter_.records("job")), IsEmpty());
}

// proves part: RES-10 (the core; no manager runs with it yet)
TEST_F(ManagerJobs, JobIsWhatItsWorkflowsAre) {
  add_workers(1, 4);
  datacenter_.worker("w1").ends[{"failed", 0, wire::SharePart::kSteps, 0}] = wire::AttemptEnd::kFailed;
  datacenter_.worker("w1").ends[{"partial", 1, wire::SharePart::kSteps, 0}] = wire::AttemptEnd::kFailed;
  submit({{.name = "A"}, {.name = "B"}}, "completed");
  submit({{.name = "A"}, {.name = "B", .depends = {"A"}}}, "failed");
  submit({{.name = "A"}, {.name = "B"}}, "partial");
  finish();
  EXPECT_EQ(datacenter_.state("completed"), JobState::kCompleted);
  EXPECT_EQ(datacenter_.state("failed"), JobState::kFailed);
  EXPECT_EQ(datacenter_.state("partial"), JobState::kPartial);
}

// proves part: EXEC-4 (the core; no manager runs with it yet)
// proves part: EXEC-5 (with workers)
TEST_F(ManagerJobs, WaitsForCoresInItsTurn) {
  add_workers(2, 4);
  submit({{.name = "Load"}}, "first");
  datacenter_.run_for(50ms);
  const RequestId second = submit({{.name = "Load", .vus = 2}}, "second");
  const RequestId third = submit({{.name = "Load", .vus = 1}}, "third");
  datacenter_.run_for(3s);
  EXPECT_EQ(datacenter_.state("first"), JobState::kRunning);
  EXPECT_EQ(datacenter_.state("second"), JobState::kQueued);
  EXPECT_EQ(datacenter_.submit_answers().at(second).queued_position, 1U);
  EXPECT_EQ(datacenter_.submit_answers().at(third).queued_position, 2U);
  const auto waiting = datacenter_.job("second").record.waiting();
  ASSERT_TRUE(waiting);
  EXPECT_EQ(waiting->reason, "2 free cores");
  EXPECT_EQ(waiting->until, waiting->since + kQueueTimeout);
  finish();
  const auto begin = [&](const std::string& id) {
    for (const Execution& each : datacenter_.executions())
      if (each.attempt.share.job == id) return each.begin;
    return MonoTime::max();
  };
  EXPECT_GT(begin("second"), begin("first") + 10s);
  EXPECT_GT(begin("third"), begin("first") + 10s);  // both fit then
  EXPECT_LT(begin("third") - begin("second"), 2s);
}

TEST_F(ManagerJobs, QueueTimeoutFailsAJob) {
  add_workers(1, 2);
  submit({{.name = "Load", .duration = 2h}}, "long");
  submit({{.name = "Load"}}, "waiting");
  datacenter_.run_for(kQueueTimeout + 2s);
  EXPECT_EQ(datacenter_.state("waiting"), JobState::kFailed);
  EXPECT_THAT(datacenter_.job("waiting").record.reason(), HasSubstr("queue timeout"));
  EXPECT_EQ(datacenter_.state("long"), JobState::kRunning);
}

TEST_F(ManagerJobs, RefusesWhatItCannotRun) {
  const auto refused = [&](const std::vector<SomeWorkflow>& workflows, const std::string& id = "job") {
    const RequestId request = submit(workflows, id);
    datacenter_.run_for(1s);
    const SubmitAnswer& answer = datacenter_.submit_answers().at(request);
    return answer.accepted ? std::string("accepted") : answer.accepted.error().context;
  };
  EXPECT_EQ(refused({{.name = "A"}}), "no worker is there to run the job");
  add_workers(1, 2);
  EXPECT_EQ(refused({}), "the job has no workflow");
  EXPECT_THAT(refused({{.name = "A", .depends = {"B"}}, {.name = "B", .depends = {"A"}}}), HasSubstr("circle"));
  EXPECT_THAT(refused({{.name = "A"}}, "a/b"), HasSubstr("a job id has"));
  datacenter_.lose_leadership();
  datacenter_.run_for(0s);
  EXPECT_EQ(refused({{.name = "A"}}), "m1 does not lead its datacenter");
  EXPECT_EQ(datacenter_.core().jobs(), 0U);
  EXPECT_THAT(datacenter_.records("job"), IsEmpty());
}

TEST_F(ManagerJobs, SubmittingTwiceIsOneJob) {
  add_workers(1, 2);
  Submission submission = some_submission("job", some_job({{.name = "A"}}));
  submission.key = "nightly";
  const RequestId first = datacenter_.submit(submission), second = datacenter_.submit(submission);
  datacenter_.run_for(1s);
  const RequestId third = datacenter_.submit(submission);
  Submission other = submission;
  other.digest[0] ^= 1;
  const RequestId changed = datacenter_.submit(other);
  // Another id under the same key: a client that has not heard the answer begins anew.
  Submission renamed = submission;
  renamed.job = "job-2";
  const RequestId same_key = datacenter_.submit(renamed);
  renamed.job = "job-3";
  renamed.digest = other.digest;
  const RequestId stolen_key = datacenter_.submit(renamed);
  datacenter_.run_for(1s);
  const auto& answers = datacenter_.submit_answers();
  for (const RequestId each : {first, second, third}) EXPECT_TRUE(answers.at(each).accepted);
  EXPECT_EQ(answers.at(changed).accepted.error().code, ErrorCode::kConflict);
  EXPECT_TRUE(answers.at(same_key).accepted);
  EXPECT_EQ(answers.at(same_key).job, "job");
  EXPECT_EQ(answers.at(stolen_key).accepted.error().code, ErrorCode::kConflict);
  EXPECT_EQ(datacenter_.core().jobs(), 1U);
}

TEST_F(ManagerJobs, FetchesEightResultsAtATime) {
  add_workers(20, 1);
  submit({{.name = "Load", .vus = 20}});
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  EXPECT_EQ(datacenter_.fetches_most(), kFetchesMax);
  EXPECT_THAT(datacenter_.counted(), SizeIs(20));
}

TEST_F(ManagerJobs, FetchesAgainUntilItHasTheResult) {
  add_workers(1, 2);
  int faults = 3;
  datacenter_.fetch_fault = [&](const wire::AttemptId&) -> Status {
    if (faults-- > 0) return fail(ErrorCode::kTimeout, "the link broke");
    return {};
  };
  submit({{.name = "Load"}});
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  EXPECT_THAT(only<jobs::AttemptEnded>(datacenter_.records("job")), IsEmpty());
}

TEST_F(ManagerJobs, DamagedResultFailsItsWorkflow) {
  add_workers(1, 2);
  datacenter_.fetch_fault = [](const wire::AttemptId&) -> Status {
    return fail(ErrorCode::kProtocol, "wrong checksum");
  };
  submit({{.name = "Load"}});
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kFailed);
  EXPECT_THAT(datacenter_.job("job").record.reason(), HasSubstr("its result is damaged: wrong checksum"));
  expect_clean();
}

TEST_F(ManagerJobs, StoresAResultAgain) {
  add_workers(1, 2);
  int faults = 2;
  datacenter_.store_fault = [&](const StoreResult&) -> Result<wire::BlobName> {
    if (faults-- > 0) return fail(ErrorCode::kBusy, "the disk is full");
    return wire::BlobName{{7}, 7};
  };
  submit({{.name = "Load"}});
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  EXPECT_EQ(run(0).result, (wire::BlobName{{7}, 7}));
}

TEST_F(ManagerJobs, ResultThatCannotBeStoredFailsItsWorkflow) {
  add_workers(1, 2);
  datacenter_.store_fault = [](const StoreResult&) -> Result<wire::BlobName> {
    return fail(ErrorCode::kBusy, "the disk is full");
  };
  submit({{.name = "Load"}});
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kFailed);
  EXPECT_EQ(datacenter_.job("job").record.reason(), "its result could not be stored: the disk is full");
  EXPECT_THAT(datacenter_.stored(), SizeIs(kStoreTriesMax));
}

// The timeout counts from the start of the load, not from the submission.
TEST_F(ManagerJobs, TimeoutEndsAJobWithWhatItHas) {
  add_workers(2, 2);
  Submission submission = some_submission("job", some_job({{.name = "Load", .duration = 100s}}));
  submission.timeout = 20s;
  datacenter_.submit(submission);
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kTimeout);
  EXPECT_EQ(datacenter_.job("job").record.reason(), "not done within 20s");
  EXPECT_GE(datacenter_.executions().front().end - datacenter_.executions().front().begin, 20s - 5ms);
  EXPECT_LE(datacenter_.executions().front().end - datacenter_.executions().front().begin, 21s);
  EXPECT_TRUE(run(0).result.has_value());
  expect_clean();
}

TEST_F(ManagerJobs, WorkflowsThatDoNotFitShareCores) {
  add_workers(1, 2);
  submit({{.name = "A"}, {.name = "B"}, {.name = "C"}, {.name = "D", .is_test = false}});
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  EXPECT_THAT(datacenter_.executions(), SizeIs(4));
}

TEST_F(ManagerJobs, ExclusiveWorkflowRunsAlone) {
  add_workers(1, 4);
  submit({{.name = "A"}, {.name = "Alone", .priority = plan::Priority::kExclusive}, {.name = "B"}});
  finish();
  std::map<std::uint32_t, Execution> executions;
  for (const Execution& each : datacenter_.executions()) executions[each.attempt.share.workflow] = each;
  for (const std::uint32_t other : {0U, 2U}) EXPECT_GT(executions[other].begin, executions[1].end);
  EXPECT_THAT(only<jobs::LayerSync>(datacenter_.records("job")), IsEmpty());  // one layer
}

TEST_F(ManagerJobs, EndedJobIsKeptForATime) {
  add_workers(1, 2);
  Submission submission = some_submission("job", some_job({{.name = "A"}}));
  submission.key = "nightly";
  datacenter_.submit(submission);
  finish();
  datacenter_.run_for(kCompletedKept - 2s);
  EXPECT_NE(datacenter_.core().find("job"), nullptr);
  datacenter_.run_for(4s);
  EXPECT_EQ(datacenter_.core().find("job"), nullptr);
  // Its key is free, and so is its id.
  submission.job = "job-2";
  const RequestId again = datacenter_.submit(submission);
  datacenter_.run_for(1s);
  EXPECT_EQ(datacenter_.submit_answers().at(again).job, "job-2");
}

}  // namespace
}  // namespace hyperscale::manager

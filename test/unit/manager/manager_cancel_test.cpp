// Cancelling a job, in each of its phases.
#include "datacenter.h"
#include "some_job.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::manager {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ManagerCancel : public testing::Test {
 protected:
  ManagerCancel() {
    for (const char* worker : {"w1", "w2"}) datacenter_.add_worker(worker, 2);
  }
  ~ManagerCancel() override { EXPECT_THAT(datacenter_.broken(), IsEmpty()) << datacenter_.story(); }

  void submit(const SomeWorkflow& workflow = {.name = "Load", .duration = 60s}, const std::string& id = "job") {
    datacenter_.submit(some_submission(id, some_job({workflow})));
  }
  bool run_until_started() {
    return datacenter_.run_until([&] { return datacenter_.job("job").runs[0].begun(); });
  }
  void expect_cancelled() {
    ASSERT_TRUE(datacenter_.run_until_over()) << datacenter_.story();
    EXPECT_EQ(datacenter_.state("job"), JobState::kCancelled);
    datacenter_.run_for(30s);
    EXPECT_EQ(datacenter_.core().pool().reserved_total(), 0U);
    EXPECT_EQ(datacenter_.core().questions(), 0U);
    for (const char* worker : {"w1", "w2"}) EXPECT_EQ(datacenter_.worker(worker).attempts(), 0U) << worker;
  }
  const CancelAnswer& answer(RequestId request) { return datacenter_.cancel_answers().at(request); }

  Datacenter datacenter_;
};

// proves part: JOB-CANCEL-1 (the manager's steps)
// proves part: JOB-CANCEL-3 (the core; no manager runs with it yet)
TEST_F(ManagerCancel, StopsTheLoadWithinTwoSeconds) {
  submit();
  ASSERT_TRUE(run_until_started());
  datacenter_.run_for(5s);
  const MonoTime cancelled = datacenter_.now();
  const RequestId request = datacenter_.cancel("job");
  datacenter_.run_for(1ms);
  EXPECT_EQ(answer(request).cancelled, 1U);
  EXPECT_EQ(datacenter_.state("job"), JobState::kCancelling);
  expect_cancelled();
  ASSERT_THAT(datacenter_.executions(), SizeIs(2));
  for (const Execution& each : datacenter_.executions()) EXPECT_LT(each.end - cancelled, 2s);
  EXPECT_TRUE(datacenter_.job("job").runs[0].result.has_value());  // cancelled, with figures
  EXPECT_EQ(datacenter_.job("job").runs[0].end, jobs::WorkflowEnd::kCancelled);
}

// proves part: AD20-5 (the core; no manager runs with it yet)
TEST_F(ManagerCancel, CancellingTwiceHasOneAnswer) {
  submit();
  ASSERT_TRUE(run_until_started());
  const RequestId first = datacenter_.cancel("job"), second = datacenter_.cancel("job");
  datacenter_.run_for(1ms);
  const RequestId third = datacenter_.cancel("job");
  expect_cancelled();
  const RequestId fourth = datacenter_.cancel("job");
  datacenter_.run_for(1ms);
  for (const RequestId each : {first, second, third, fourth}) EXPECT_EQ(answer(each).cancelled, 1U);
}

TEST_F(ManagerCancel, WhatDoesNotRunCannotBeCancelled) {
  submit({.name = "Load", .duration = 2s});
  const RequestId unknown = datacenter_.cancel("other");
  ASSERT_TRUE(datacenter_.run_until_over());
  const RequestId late = datacenter_.cancel("job");
  EXPECT_EQ(answer(unknown).cancelled.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(answer(late).cancelled.error().code, ErrorCode::kConflict);
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
}

// proves part: AD20-6 (the manager's check of a gate's fence)
TEST_F(ManagerCancel, FormerGateMayNotCancel) {
  Submission submission = some_submission("job", some_job({{.name = "Load"}}));
  submission.gate_fence = 5;
  datacenter_.submit(submission);
  datacenter_.run_for(1s);
  const RequestId former = datacenter_.cancel("job", 4);
  datacenter_.run_for(10ms);
  EXPECT_EQ(answer(former).cancelled.error().code, ErrorCode::kConflict);
  EXPECT_NE(datacenter_.state("job"), JobState::kCancelling);
  const RequestId owner = datacenter_.cancel("job", 5);
  datacenter_.run_for(10ms);
  EXPECT_TRUE(answer(owner).cancelled);
}

TEST_F(ManagerCancel, InTheQueue) {
  submit({.name = "Long", .duration = 1h}, "long");
  datacenter_.run_for(1s);
  submit();
  datacenter_.run_for(1s);
  EXPECT_EQ(datacenter_.state("job"), JobState::kQueued);
  datacenter_.cancel("job");
  ASSERT_TRUE(datacenter_.run_until([&] { return datacenter_.over("job"); }, 5s));
  EXPECT_EQ(datacenter_.state("job"), JobState::kCancelled);
  EXPECT_EQ(datacenter_.core().queued(), 0U);
}

TEST_F(ManagerCancel, AtEachMomentOfTheStart) {
  for (int ms = 0; ms < 2'000; ms += 40) {
    const std::string id = "job-" + std::to_string(ms);
    submit({.name = "Load", .setup = ms % 80 == 0, .teardown = true}, id);
    datacenter_.run_for(std::chrono::milliseconds(ms) + 1ms);
    datacenter_.cancel(id);
    ASSERT_TRUE(datacenter_.run_until([&] { return datacenter_.over(id); }, 2min)) << datacenter_.story();
    EXPECT_EQ(datacenter_.state(id), JobState::kCancelled) << ms;
    datacenter_.run_for(1s);
    EXPECT_EQ(datacenter_.core().pool().reserved_total(), 0U) << ms;
    for (const char* worker : {"w1", "w2"}) EXPECT_EQ(datacenter_.worker(worker).attempts(), 0U) << ms;
  }
}

TEST_F(ManagerCancel, TeardownRunsAfterACancel) {
  submit({.name = "Load", .duration = 60s, .setup = true, .teardown = true});
  ASSERT_TRUE(run_until_started());
  datacenter_.run_for(2s);
  datacenter_.cancel("job");
  expect_cancelled();
  EXPECT_EQ(datacenter_.executions().back().attempt.share.part, wire::SharePart::kTeardown);
}

TEST_F(ManagerCancel, TeardownThatHangsIsStopped) {
  submit({.name = "Load", .duration = 60s, .teardown = true});
  ASSERT_TRUE(run_until_started());
  datacenter_.run_for(2s);
  for (const char* worker : {"w1", "w2"}) datacenter_.worker(worker).never_ready = true;
  datacenter_.cancel("job");
  ASSERT_TRUE(datacenter_.run_until_over(5min)) << datacenter_.story();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCancelled);
}

// proves part: AD20-3 (the manager repeats it, then says which worker did not confirm)
TEST_F(ManagerCancel, WorkerThatDoesNotConfirmDoesNotHoldUpTheJob) {
  submit();
  ASSERT_TRUE(run_until_started());
  datacenter_.run_for(3s);
  datacenter_.worker("w1").is_mute = true;
  datacenter_.worker("w1").ignores_cancel = true;
  datacenter_.cancel("job");
  ASSERT_TRUE(datacenter_.run_until_over(kCancelPatience + 5s)) << datacenter_.story();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCancelled);
  const auto lines = datacenter_.pushed<Line>("job");
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(lines.front().text, "worker w1 did not confirm its end");
  EXPECT_THAT(datacenter_.counted(), SizeIs(2));  // what it had reported stays
}

// proves part: JOB-CANCEL-2 (the manager's answer to the poll)
TEST_F(ManagerCancel, LostCancelIsFoundByPolling) {
  submit();
  ASSERT_TRUE(run_until_started());
  datacenter_.worker("w1").is_mute = true;
  const MonoTime cancelled = datacenter_.now();
  datacenter_.cancel("job");
  ASSERT_TRUE(datacenter_.run_until_over(kCancelPatience)) << datacenter_.story();
  for (const Execution& each : datacenter_.executions()) EXPECT_LE(each.end - cancelled, 6s);
  datacenter_.worker("w1").is_mute = false;
}

// The order of the records decides: a job whose end is on its way cannot be cancelled.
TEST_F(ManagerCancel, AfterTheEndHasBegun) {
  Datacenter slow({.slow_journal = jobs::SlowJournal::Behaviour{.seed = 5, .delay_min = 200ms, .delay_max = 400ms}});
  slow.add_worker("w1", 2);
  slow.submit(some_submission("job", some_job({{.name = "Load", .duration = 2s}})));
  ASSERT_TRUE(slow.run_until([&] { return slow.core().find("job") && slow.job("job").closing; }));
  const RequestId request = slow.cancel("job");
  ASSERT_TRUE(slow.run_until_over());
  EXPECT_EQ(slow.cancel_answers().at(request).cancelled.error().code, ErrorCode::kConflict);
  EXPECT_EQ(slow.state("job"), JobState::kCompleted);
  EXPECT_THAT(slow.broken(), IsEmpty()) << slow.story();
}

}  // namespace
}  // namespace hyperscale::manager

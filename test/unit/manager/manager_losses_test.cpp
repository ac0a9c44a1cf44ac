// Workers that die, restart, are cut off, refuse or do not answer.
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
using testing::Pair;
using testing::SizeIs;

constexpr auto kDispatch = [](const wire::JobQuestion& each) {
  return std::holds_alternative<wire::WorkflowDispatch>(each);
};

class ManagerLosses : public testing::Test {
 protected:
  explicit ManagerLosses(Datacenter::Options options = {}) : datacenter_(options) {}
  ~ManagerLosses() override { EXPECT_THAT(datacenter_.broken(), IsEmpty()) << datacenter_.story(); }

  // A job with one workflow of one share, and two workers that could have it.
  void run_one_share(SomeWorkflow workflow = {.name = "Load"}, OnWorkerLoss wish = OnWorkerLoss::kDefault,
                     Duration timeout = {}) {
    for (const char* worker : {"w1", "w2"}) datacenter_.add_worker(worker, 2);
    workflow.vus = 2;
    workflow.priority = plan::Priority::kNormal;  // half of the pool: one worker
    Submission submission = some_submission("job", some_job({workflow}));
    submission.on_worker_loss = wish;
    submission.timeout = timeout;
    datacenter_.submit(submission);
    datacenter_.run_for(50ms);
    first_ = datacenter_.asked(kDispatch).front().worker;
    second_ = first_ == "w1" ? "w2" : "w1";
  }
  bool run_until_started() {
    return datacenter_.run_until([&] { return datacenter_.job("job").runs[0].begun(); });
  }
  void finish() { ASSERT_TRUE(datacenter_.run_until_over()) << datacenter_.story(); }
  std::vector<jobs::AttemptEnded> ended() {
    std::vector<jobs::AttemptEnded> found;
    for (const jobs::Record& each : datacenter_.records("job"))
      if (const auto* one = std::get_if<jobs::AttemptEnded>(&each)) found.push_back(*one);
    return found;
  }
  std::vector<Loss> losses() { return datacenter_.stored().back().losses; }
  std::vector<std::pair<Duration, Duration>> counted() {
    return datacenter_.counted().at({"job", 0, wire::SharePart::kSteps, 0});
  }

  Datacenter datacenter_;
  std::string first_;
  std::string second_;
};

// proves part: RES-8 (the core; no manager runs with it yet)
// proves part: AD9-3 (the core; no manager runs with it yet)
// proves part: FAIL-WORKER-3 (the core; no manager runs with it yet)
TEST_F(ManagerLosses, ResumesOnAnotherWorker) {
  run_one_share();
  ASSERT_TRUE(run_until_started());
  datacenter_.run_for(4500ms);
  datacenter_.kill(first_);
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  ASSERT_THAT(ended(), SizeIs(1));
  EXPECT_EQ(ended().front().excluded, first_);
  EXPECT_THAT(ended().front().why, HasSubstr("is gone"));
  const Duration lost = ended().front().counted_to;
  EXPECT_GE(lost, 3s);
  EXPECT_LE(lost, 4500ms);
  EXPECT_THAT(counted(), ElementsAre(Pair(0s, lost), Pair(lost, 10s)));  // each instant once, none missing
  ASSERT_THAT(losses(), SizeIs(1));
  EXPECT_TRUE(losses().front().again);
  EXPECT_EQ(losses().front().again_from, lost);
  EXPECT_GT(losses().front().again_at, losses().front().lost_at);
  const auto dispatches = datacenter_.asked(kDispatch);
  EXPECT_EQ(dispatches.back().worker, second_);
  const auto& before = std::get<wire::WorkflowDispatch>(dispatches.front().message);
  const auto& after = std::get<wire::WorkflowDispatch>(dispatches.back().message);
  EXPECT_EQ(before.content.text(), after.content.text());
  EXPECT_GT(after.attempt.fence, before.attempt.fence);
  EXPECT_EQ(after.from_elapsed, lost);
}

// proves part: AD9-1 (the core; no manager runs with it yet)
// proves part: AD9-2 (the core; no manager runs with it yet)
TEST_F(ManagerLosses, RetryHasTheBytesOfTheFirstDispatch) {
  for (const char* worker : {"w1", "w2", "w3", "w4"}) datacenter_.add_worker(worker, 2);
  plan::Job job = some_job({{.name = "A"}, {.name = "Load", .depends = {"A"}, .vus = 8}});
  job.workflows[0].plan.script.provides = {{"key", {"Load"}}};
  datacenter_.submit(some_submission("job", std::move(job)));
  ASSERT_TRUE(datacenter_.run_until([&] { return datacenter_.job("job").runs[1].begun(); }));
  std::map<wire::ShareId, std::set<std::string>> contents;
  datacenter_.run_for(2s);
  datacenter_.add_worker("w5", 2);
  datacenter_.kill("w2");
  finish();
  std::size_t retries = 0;
  for (const auto& each : datacenter_.asked(kDispatch)) {
    const auto& dispatch = std::get<wire::WorkflowDispatch>(each.message);
    if (dispatch.attempt.share.workflow != 1) continue;
    if (dispatch.attempt.fence.attempt > 1) ++retries;
    contents[dispatch.attempt.share].emplace(dispatch.content.text());
  }
  EXPECT_EQ(retries, 1U);
  EXPECT_THAT(contents, SizeIs(4));
  for (const auto& [share, texts] : contents) EXPECT_THAT(texts, SizeIs(1)) << share.share;
}

TEST_F(ManagerLosses, RerunsWhatIsBoundedByACount) {
  run_one_share({.name = "Load", .iterations = 1'000});
  ASSERT_TRUE(run_until_started());
  datacenter_.run_for(4500ms);
  datacenter_.kill(first_);
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  EXPECT_THAT(counted(), ElementsAre(Pair(0s, 10s)));
  ASSERT_THAT(losses(), SizeIs(1));
  EXPECT_GE(losses().front().discarded, 300U);
}

TEST_F(ManagerLosses, PartialKeepsWhatWasReported) {
  run_one_share({.name = "Load"}, OnWorkerLoss::kPartial);
  ASSERT_TRUE(run_until_started());
  datacenter_.run_for(4500ms);
  datacenter_.kill(first_);
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kPartial);
  EXPECT_THAT(datacenter_.asked(kDispatch), SizeIs(1));
  ASSERT_THAT(counted(), SizeIs(1));
  EXPECT_GE(counted().front().second, 3s);
  EXPECT_TRUE(datacenter_.stored().back().partial);
  EXPECT_EQ(datacenter_.job("job").runs[0].end, jobs::WorkflowEnd::kFailed);
}

// Before the start nothing is lost: the share is prepared elsewhere, and the start is still one.
TEST_F(ManagerLosses, DeathBeforeTheStartIsNoLoss) {
  datacenter_.add_worker("w1", 2);
  datacenter_.add_worker("w2", 2);
  datacenter_.worker("w1").never_ready = true;
  datacenter_.submit(some_submission("job", some_job({{.name = "Load"}})));
  datacenter_.run_for(2s);
  EXPECT_FALSE(datacenter_.job("job").runs[0].begun());
  datacenter_.add_worker("w3", 2);
  datacenter_.kill("w1");
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  EXPECT_THAT(losses(), IsEmpty());
  ASSERT_THAT(datacenter_.executions(), SizeIs(2));
  const auto& executions = datacenter_.executions();
  EXPECT_LE(std::max(executions[0].begin, executions[1].begin) - std::min(executions[0].begin, executions[1].begin),
            5ms);
}

TEST_F(ManagerLosses, AttemptThatDoesNotBecomeReadyMoves) {
  datacenter_.add_worker("w1", 2);
  datacenter_.worker("w1").never_ready = true;
  datacenter_.submit(some_submission("job", some_job({{.name = "Load"}})));
  datacenter_.run_for(1s);
  datacenter_.add_worker("w2", 2);
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  ASSERT_THAT(ended(), SizeIs(1));
  EXPECT_EQ(ended().front().why, "worker w1 was not ready within 30s");
  EXPECT_THAT(datacenter_.executions(), SizeIs(1));
  datacenter_.run_for(10s);
  EXPECT_EQ(datacenter_.worker("w1").attempts(), 0U);  // it was told to stop
}

TEST_F(ManagerLosses, FastRestartIsNoticed) {
  run_one_share();
  ASSERT_TRUE(run_until_started());
  datacenter_.run_for(3500ms);
  datacenter_.restart(first_);  // no WorkerDown comes
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  ASSERT_THAT(ended(), SizeIs(1));
  EXPECT_EQ(datacenter_.asked(kDispatch).back().worker, second_);
}

// It is declared dead and runs on: its result is refused, and it stops when it hears of the higher fence.
// proves part: FAIL-PART-2 (the manager's side)
TEST_F(ManagerLosses, IsolatedWorkerIsNotCounted) {
  run_one_share({.name = "Load", .duration = 60s});
  ASSERT_TRUE(run_until_started());
  datacenter_.run_for(5500ms);
  datacenter_.cut(first_);
  datacenter_.run_for(15s);
  datacenter_.heal(first_);
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  const auto times = counted();
  ASSERT_THAT(times, SizeIs(2));
  EXPECT_EQ(times[0].second, times[1].first);
  ASSERT_THAT(datacenter_.executions(), SizeIs(2));
  const Execution& old = datacenter_.executions().front();
  EXPECT_EQ(old.worker, first_);
  EXPECT_LT(old.end - old.begin, 30s);  // long before its end
  datacenter_.run_for(10s);
  EXPECT_EQ(datacenter_.worker(first_).attempts(), 0U);
}

TEST_F(ManagerLosses, IsolatedWorkersFinalResultIsReleased) {
  run_one_share();
  ASSERT_TRUE(run_until_started());
  datacenter_.run_for(5500ms);
  datacenter_.cut(first_);
  datacenter_.run_for(12s);  // it finishes meanwhile
  datacenter_.heal(first_);
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  datacenter_.run_for(10s);
  EXPECT_EQ(datacenter_.worker(first_).attempts(), 0U);
  EXPECT_THAT(counted(), SizeIs(2));
}

TEST_F(ManagerLosses, ResultLostWithItsWorkerIsMeasuredAgain) {
  run_one_share();
  datacenter_.fetch_fault = [&](const wire::AttemptId& id) -> Status {
    if (id.fence.attempt > 1) return {};
    return fail(ErrorCode::kTimeout, "the link broke");
  };
  ASSERT_TRUE(datacenter_.run_until([&] { return datacenter_.core().fetches().in_flight() > 0; }));
  datacenter_.kill(first_);
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  ASSERT_THAT(ended(), SizeIs(1));
  EXPECT_THAT(ended().front().why, HasSubstr("is gone with its result"));
  ASSERT_THAT(counted(), SizeIs(2));
  EXPECT_EQ(counted()[0].second, counted()[1].first);
}

TEST_F(ManagerLosses, DeathAfterTheResultIsMergedChangesNothing) {
  run_one_share();
  ASSERT_TRUE(datacenter_.run_until([&] { return !datacenter_.counted().empty(); }));
  datacenter_.kill(first_);
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  EXPECT_THAT(ended(), IsEmpty());
}

TEST_F(ManagerLosses, WorkersAreUsedUp) {
  run_one_share({.name = "Load"}, OnWorkerLoss::kDefault, 1h);
  datacenter_.kill(second_);
  ASSERT_TRUE(run_until_started());
  datacenter_.run_for(3500ms);
  datacenter_.kill(first_);
  ASSERT_TRUE(datacenter_.run_until([&] { return !ended().empty(); }));
  datacenter_.restart(first_);  // excluded for this share
  datacenter_.run_for(kDispatchTimeout - 5s);
  EXPECT_EQ(datacenter_.state("job"), JobState::kRunning);
  ASSERT_TRUE(datacenter_.job("job").record.waiting());
  EXPECT_EQ(datacenter_.job("job").record.waiting()->reason, "a worker with 2 free cores for workflow Load");
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kPartial);  // what the first attempt reported
  EXPECT_THAT(datacenter_.job("job").runs[0].error, HasSubstr("no worker took it within 5m"));
}

TEST_F(ManagerLosses, NewWorkerGetsTheWaitingShare) {
  run_one_share();
  datacenter_.kill(second_);
  ASSERT_TRUE(run_until_started());
  datacenter_.run_for(3500ms);
  datacenter_.kill(first_);
  datacenter_.run_for(60s);
  datacenter_.add_worker("w3", 2);
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  EXPECT_EQ(datacenter_.asked(kDispatch).back().worker, "w3");
}

TEST_F(ManagerLosses, FourAttemptsAtMost) {
  for (const char* worker : {"w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8"}) datacenter_.add_worker(worker, 1);
  Submission submission = some_submission("job", some_job({{.name = "Load", .vus = 1, .duration = 100s}}));
  datacenter_.submit(submission);
  for (std::size_t i = 1; i <= 4; ++i) {
    ASSERT_TRUE(datacenter_.run_until([&] {
      const Share* share = datacenter_.job("job").shares.find({0, wire::SharePart::kSteps, 0});
      return share && share->phase() == SharePhase::kRunning;
    }));
    datacenter_.kill(datacenter_.asked(kDispatch).back().worker);
    ASSERT_TRUE(datacenter_.run_until([&] { return ended().size() == i; }));
  }
  finish();
  EXPECT_THAT(ended(), SizeIs(4));
  EXPECT_EQ(datacenter_.job("job").runs[0].end, jobs::WorkflowEnd::kFailed);
  std::set<std::string> workers;
  for (const auto& each : datacenter_.asked(kDispatch)) workers.insert(each.worker);
  EXPECT_THAT(workers, SizeIs(4));
}

TEST_F(ManagerLosses, RefusedShareGoesElsewhere) {
  datacenter_.add_worker("w1", 2);
  datacenter_.add_worker("w2", 2);
  datacenter_.worker("w1").refuses = wire::Refusal::kDraining;
  datacenter_.submit(some_submission("job", some_job({{.name = "Load", .vus = 2, .priority = plan::Priority::kLow}})));
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  for (const jobs::AttemptEnded& each : ended()) {
    EXPECT_EQ(each.excluded, "");
    EXPECT_EQ(each.why, "worker w1 refused it: no");
  }
  EXPECT_THAT(datacenter_.executions(), SizeIs(1));
}

// The cores of the worker are in use for something that this manager does not know.
TEST_F(ManagerLosses, WaitsForAWorkerThatHasNoCores) {
  datacenter_.add_worker("w1", 2);
  datacenter_.worker("w1").refuses = wire::Refusal::kNoCores;
  datacenter_.submit(some_submission("job", some_job({{.name = "Load"}})));
  datacenter_.run_for(20s);
  EXPECT_EQ(datacenter_.state("job"), JobState::kDispatching);
  EXPECT_LE(datacenter_.asked(kDispatch).size(), 21U);  // not in a loop without pause
  datacenter_.worker("w1").refuses = wire::Refusal::kNone;
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
}

TEST_F(ManagerLosses, BadPlanFailsWithoutARetry) {
  datacenter_.add_worker("w1", 2);
  datacenter_.add_worker("w2", 2);
  for (const char* worker : {"w1", "w2"}) datacenter_.worker(worker).refuses = wire::Refusal::kBadPlan;
  datacenter_.submit(some_submission("job", some_job({{.name = "Load"}})));
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kFailed);
  EXPECT_EQ(datacenter_.job("job").record.reason(), "no");
  EXPECT_THAT(datacenter_.asked(kDispatch), SizeIs(2));
  EXPECT_EQ(datacenter_.core().pool().reserved_total(), 0U);
}

class ManagerOnABadNetwork : public ManagerLosses {
 protected:
  ManagerOnABadNetwork() : ManagerLosses({.seed = 3, .lost_percent = 30}) {}
};

// A lost answer is not a lost question: the same dispatch again is one execution.
TEST_F(ManagerOnABadNetwork, LostMessagesCostNothingButTime) {
  for (const char* worker : {"w1", "w2", "w3"}) datacenter_.add_worker(worker, 2);
  datacenter_.submit(some_submission("job", some_job({{.name = "Load", .setup = true, .teardown = true}})));
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  EXPECT_THAT(ended(), IsEmpty());
  EXPECT_THAT(datacenter_.executions(), SizeIs(5));
  std::set<wire::AttemptId> executed;
  for (const Execution& each : datacenter_.executions()) EXPECT_TRUE(executed.insert(each.attempt).second);
  datacenter_.run_for(60s);
  EXPECT_EQ(datacenter_.core().questions(), 0U);
}

// Heartbeats come, answers do not: the share is fenced in the journal before it goes elsewhere.
TEST_F(ManagerLosses, WorkerThatNeverAnswersIsFenced) {
  datacenter_.add_worker("w1", 2);
  datacenter_.worker("w1").is_mute = true;
  datacenter_.submit(some_submission("job", some_job({{.name = "Load"}})));
  datacenter_.run_for(kDispatchPatience - 2s);
  datacenter_.add_worker("w2", 2);
  EXPECT_THAT(ended(), IsEmpty());
  finish();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  ASSERT_THAT(ended(), SizeIs(1));
  EXPECT_EQ(ended().front().why, "worker w1 did not answer a dispatch");
  EXPECT_EQ(ended().front().excluded, "w1");
  EXPECT_EQ(datacenter_.asked(kDispatch).back().worker, "w2");
}

}  // namespace
}  // namespace hyperscale::manager

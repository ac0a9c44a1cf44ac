// A workflow with a setup and a teardown: what runs in which order, with which values, and what an end does to it.
#include "node/local/workflow_run.h"

#include "scripted_run.h"
#include "temporary_folder.h"

#include <functional>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

using load::EventLoop;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class WorkflowRunTest : public testing::Test, protected WorkflowObserver {
 protected:
  WorkflowRunTest() : workflow_(scripted_run("steady").job.workflows.front()) {
    workflow_.plan.load.iterations = 20;
    workflow_.plan.script.entry = "shop.js";
    workflow_.plan.script.has_setup = true;
    workflow_.plan.script.has_teardown = true;
  }

  // `each_turn` is called after every event.
  void run(const std::function<void()>& each_turn = [] {}) {
    WorkflowObserver& observer = *this;
    auto launched = WorkflowRun::launch(io_,
                                        {.workflow = &workflow_,
                                         .cores = cores_,
                                         .backend = load::LoopBackend::kEpoll,
                                         .program = "/proc/self/exe",
                                         .arguments = {"node_local_test", "executor"},
                                         .streams = streams_.get()},
                                        observer);
    ASSERT_TRUE(launched) << launched.error().context;
    run_ = std::move(*launched);
    const MonoTime give_up = EventLoop::now() + 10s;
    while (!run_->done() && EventLoop::now() < give_up) {
      io_.restart();
      io_.run_one_for(std::chrono::milliseconds(50));
      each_turn();
    }
    EXPECT_TRUE(run_->done()) << "it hangs";
    for (io_.restart(); io_.run_one_for(std::chrono::milliseconds(20)) > 0;) continue;
  }
  results::WorkflowEnd end() const { return run_->report(*run_->result(), EventLoop::now()).end; }

  void on_workflow_ready(WorkflowRun& run) override {
    run.start(EventLoop::now(), {{.source = "Auth", .key = "token", .json = "1"}});
  }
  void on_workflow_refused(WorkflowRun&, const std::string& why) override { ADD_FAILURE() << why; }
  void on_workflow_begun(WorkflowRun&) override { log_.emplace_back("begun"); }
  void on_workflow_said(WorkflowRun&, const std::string& sentence) override { log_.push_back(sentence); }
  void on_executor_died(WorkflowRun&, std::uint32_t, const std::string& sentence) override {
    log_.push_back("died: " + sentence);
  }
  void on_workflow_done(WorkflowRun&) override { log_.emplace_back("done"); }

  test::TemporaryFolder shm_;
  plan::Workflow workflow_;
  std::vector<int> cores_{-1};
  asio::io_context io_;
  std::unique_ptr<StreamHost> streams_ = std::move(*StreamHost::start(io_, {.shm_base_dir = shm_.path()}));
  std::unique_ptr<WorkflowRun> run_;
  std::vector<std::string> log_;
};

TEST_F(WorkflowRunTest, ASetupComesBeforeTheStepsAndATeardownAfterThemWithAllValues) {
  run();
  EXPECT_THAT(log_, ElementsAre("setup is given token=1", "begun", "steady is given token=1 base=7",
                                "teardown is given token=1 base=7", "done"));
  EXPECT_TRUE(run_->completed());
  EXPECT_EQ(run_->result()->iterations, 20U);
  EXPECT_EQ(end(), results::WorkflowEnd::kCompleted);
}

TEST_F(WorkflowRunTest, ASetupThatFailsFailsTheWorkflowAndNothingElseRuns) {
  workflow_.plan.script.workflow = "fails in setup";
  run();
  EXPECT_THAT(log_, ElementsAre("setup is given token=1", "done"));
  EXPECT_FALSE(run_->completed());
  EXPECT_EQ(run_->failure(), "setup failed: it is bad");
  EXPECT_EQ(end(), results::WorkflowEnd::kFailed);
}

TEST_F(WorkflowRunTest, ATeardownThatFailsIsTold) {
  workflow_.plan.script.workflow = "fails in teardown";
  run();
  EXPECT_THAT(log_, Contains("teardown failed: it is bad"));
  EXPECT_EQ(log_.back(), "done");
  EXPECT_TRUE(run_->completed());
  EXPECT_EQ(end(), results::WorkflowEnd::kCompleted);
}

TEST_F(WorkflowRunTest, AStopInTheSetupLetsNothingBegin) {
  workflow_.plan.script.workflow = "waits in setup";
  run([this] {
    if (!log_.empty()) run_->stop();
  });
  EXPECT_THAT(log_, ElementsAre("setup is given token=1", "done"));
  EXPECT_EQ(run_->failure(), "");
  EXPECT_EQ(end(), results::WorkflowEnd::kStopped);
}

TEST_F(WorkflowRunTest, AKillInTheSetupLetsNothingBegin) {
  workflow_.plan.script.workflow = "waits in setup";
  run([this] {
    if (!log_.empty()) run_->kill();
  });
  EXPECT_THAT(log_, ElementsAre("setup is given token=1", "done"));
}

TEST_F(WorkflowRunTest, AStopOfTheStepsStillTearsDown) {
  workflow_.plan.load.iterations = 0;
  workflow_.plan.load.duration = 1h;
  run([this] {
    if (log_.size() == 3) run_->stop();
  });
  EXPECT_THAT(log_, ElementsAre("setup is given token=1", "begun", "steady is given token=1 base=7",
                                "teardown is given token=1 base=7", "done"));
  EXPECT_EQ(end(), results::WorkflowEnd::kStopped);
}

TEST_F(WorkflowRunTest, AKillOfTheStepsDoesNotTearDown) {
  workflow_.plan.load.iterations = 0;
  workflow_.plan.load.duration = 1h;
  run([this] {
    if (log_.size() == 3) run_->kill();
  });
  EXPECT_THAT(log_, Not(Contains(HasSubstr("teardown"))));
  EXPECT_EQ(log_.back(), "done");
}

TEST_F(WorkflowRunTest, ATeardownThatWaitsEndsWithAKill) {
  workflow_.plan.script.workflow = "waits in teardown";
  run([this] {
    if (log_.size() == 4) run_->kill();
  });
  EXPECT_EQ(log_.back(), "done");
  EXPECT_EQ(run_->result()->iterations, 20U);
}

// proves: CTX-API-4
TEST_F(WorkflowRunTest, ValuesGoOnlyToWhomTheyAreFor) {
  workflow_ = scripted_run("provides").job.workflows.front();
  workflow_.plan.load.iterations = 20;
  workflow_.plan.script.entry = "shop.js";
  workflow_.plan.script.provides = {{.key = "token", .to = {"Data"}}};
  run();
  EXPECT_EQ(run_->provided_to("Data").size(), 1U);
  EXPECT_TRUE(run_->provided_to("Other").empty());
}

TEST_F(WorkflowRunTest, AChangeThatALostShareCannotFollowIsNotPassedOff) {
  workflow_ = scripted_run("dies always").job.workflows.front();
  workflow_.plan.load.duration = 1h;
  cores_ = {-1, -1};
  const plan::LoadCommand users{plan::LoadChangeKind::kUsers, 40}, rate{plan::LoadChangeKind::kRate, 100};
  std::string before, after;
  run([&] {
    if (!run_->begun() || run_->done()) return;
    if (!run_->lost_a_share()) {
      before += run_->shortfall(users);
      return;
    }
    after = run_->shortfall(users);
    EXPECT_EQ(run_->shortfall(rate), "executor 0 is lost: 50.0/s of it is left");
    EXPECT_EQ(run_->shortfall({plan::LoadChangeKind::kPause, 0}), "");
    run_->stop();
  });
  EXPECT_EQ(before, "");
  EXPECT_EQ(after, "executor 0 is lost: 20 of them run");
  EXPECT_EQ(run_->result()->vus_max, 10U) << "both were busy at the same time";
}

}  // namespace
}  // namespace hyperscale::node

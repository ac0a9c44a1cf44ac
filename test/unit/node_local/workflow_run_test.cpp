// A workflow with a setup and a teardown: what runs in which order, with which values, and what an end does to it.
#include "node/local/workflow_run.h"

#include "scripted_run.h"
#include "temporary_folder.h"

#include <functional>
#include <optional>
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

class WorkflowRunTest : public testing::Test {
 protected:
  WorkflowRunTest() : workflow_(scripted_run("steady").job.workflows.front()) {
    workflow_.plan.load.iterations = 20;
    workflow_.plan.script.entry = "shop.js";
    workflow_.plan.script.has_setup = true;
    workflow_.plan.script.has_teardown = true;
  }

  // `each_turn` is called after every event.
  void run(const std::function<void()>& each_turn = [] {}) {
    const auto executors = static_cast<std::uint32_t>(cores_.size());
    machine_.emplace(jobs::SequenceSetup{.workflow = &workflow_,
                                         .cores = std::vector<std::uint32_t>(executors),
                                         .segments = plan::segments_of(workflow_.plan.load.vus, executors)});
    auto made = WorkflowRun::make(
        io_, *machine_,
        {.cores = cores_,
         .backend = load::LoopBackend::kEpoll,
         .program = "/proc/self/exe",
         .arguments = {"node_local_test", "executor"},
         .streams = streams_.get()},
        {.event = [this](plan::ScriptPart part,
                         const jobs::ShareMachine::Event& event) { step(jobs::PartEvent{part, event}); },
         .log = [this](const std::string& text) { log_.push_back(text); }});
    ASSERT_TRUE(made) << made.error().context;
    run_ = std::move(*made);
    step(jobs::LaunchWorkflow{});
    const MonoTime give_up = EventLoop::now() + 10s;
    while (!run_->done() && EventLoop::now() < give_up) {
      io_.restart();
      io_.run_one_for(std::chrono::milliseconds(50));
      each_turn();
    }
    EXPECT_TRUE(run_->done()) << "it hangs";
    for (io_.restart(); io_.run_one_for(std::chrono::milliseconds(20)) > 0;) continue;
  }
  void stop() { step(jobs::Stop{}); }
  void kill() { step(jobs::Kill{}); }
  results::RunResult recorded() const { return run_->recorded()->figures; }

  void step(const jobs::SequenceMachine::Event& event) {
    for (const auto& action : machine_->step(event, EventLoop::now())) {
      if (const auto* to = std::get_if<jobs::PartCommand>(&action)) carry_out(*to);
      if (std::holds_alternative<jobs::WorkflowReady>(action))
        step(jobs::StartWorkflow{EventLoop::now(), {{.source = "Auth", .key = "token", .json = "1"}}});
      if (const auto* refused = std::get_if<jobs::WorkflowRefused>(&action)) ADD_FAILURE() << refused->why;
      if (std::holds_alternative<jobs::WorkflowBegun>(action)) log_.emplace_back("begun");
      if (const auto* said = std::get_if<jobs::WorkflowSaid>(&action)) log_.push_back(said->sentence);
      if (const auto* died = std::get_if<jobs::ExecutorDied>(&action)) log_.push_back("died: " + died->sentence);
      if (std::holds_alternative<jobs::WorkflowDone>(action)) log_.emplace_back("done");
    }
  }
  void carry_out(const jobs::PartCommand& to) {
    const Status done = run_->carry_out(to.part, to.command);
    ASSERT_TRUE(done) << done.error().context;
    if (const auto* launch = std::get_if<jobs::LaunchExecutor>(&to.command))
      step(jobs::PartEvent{to.part, jobs::Launched{launch->executor}});
  }

  test::TemporaryFolder shm_;
  plan::Workflow workflow_;
  std::vector<int> cores_{-1};
  asio::io_context io_;
  std::unique_ptr<StreamHost> streams_ = std::move(*StreamHost::start(io_, {.shm_base_dir = shm_.path()}));
  std::optional<jobs::SequenceMachine> machine_;
  std::unique_ptr<WorkflowRun> run_;
  std::vector<std::string> log_;
};

TEST_F(WorkflowRunTest, SetupRunsBeforeStepsAndTeardownAfter) {
  run();
  EXPECT_THAT(log_, ElementsAre("setup is given token=1", "begun", "steady is given token=1 base=7",
                                "teardown is given token=1 base=7", "done"));
  EXPECT_TRUE(run_->completed());
  EXPECT_EQ(recorded().iterations, 20U);
  EXPECT_FALSE(machine_->stopped());
}

TEST_F(WorkflowRunTest, FailedSetupFailsWorkflowBeforeItsSteps) {
  workflow_.plan.script.workflow = "fails in setup";
  run();
  EXPECT_THAT(log_, ElementsAre("setup is given token=1", "done"));
  EXPECT_FALSE(run_->completed());
  EXPECT_EQ(machine_->failure(), "setup failed: it is bad");
}

TEST_F(WorkflowRunTest, ATeardownThatFailsIsTold) {
  workflow_.plan.script.workflow = "fails in teardown";
  run();
  EXPECT_THAT(log_, Contains("teardown failed: it is bad"));
  EXPECT_EQ(log_.back(), "done");
  EXPECT_TRUE(run_->completed());
  EXPECT_FALSE(machine_->stopped());
}

TEST_F(WorkflowRunTest, AStopInTheSetupLetsNothingBegin) {
  workflow_.plan.script.workflow = "waits in setup";
  run([this] {
    if (!log_.empty()) stop();
  });
  EXPECT_THAT(log_, ElementsAre("setup is given token=1", "done"));
  EXPECT_EQ(machine_->failure(), "");
  EXPECT_TRUE(machine_->stopped() && !machine_->lost_a_share());
}

TEST_F(WorkflowRunTest, AKillInTheSetupLetsNothingBegin) {
  workflow_.plan.script.workflow = "waits in setup";
  run([this] {
    if (!log_.empty()) kill();
  });
  EXPECT_THAT(log_, ElementsAre("setup is given token=1", "done"));
}

TEST_F(WorkflowRunTest, AStopOfTheStepsStillTearsDown) {
  workflow_.plan.load.iterations = 0;
  workflow_.plan.load.duration = 1h;
  run([this] {
    if (log_.size() == 3) stop();
  });
  EXPECT_THAT(log_, ElementsAre("setup is given token=1", "begun", "steady is given token=1 base=7",
                                "teardown is given token=1 base=7", "done"));
  EXPECT_TRUE(machine_->stopped() && !machine_->lost_a_share());
}

TEST_F(WorkflowRunTest, AKillOfTheStepsDoesNotTearDown) {
  workflow_.plan.load.iterations = 0;
  workflow_.plan.load.duration = 1h;
  run([this] {
    if (log_.size() == 3) kill();
  });
  EXPECT_THAT(log_, Not(Contains(HasSubstr("teardown"))));
  EXPECT_EQ(log_.back(), "done");
}

TEST_F(WorkflowRunTest, ATeardownThatWaitsEndsWithAKill) {
  workflow_.plan.script.workflow = "waits in teardown";
  run([this] {
    if (log_.size() == 4) kill();
  });
  EXPECT_EQ(log_.back(), "done");
  EXPECT_EQ(recorded().iterations, 20U);
}

// proves: CTX-API-4
TEST_F(WorkflowRunTest, ValuesGoOnlyToWhomTheyAreFor) {
  workflow_ = scripted_run("provides").job.workflows.front();
  workflow_.plan.load.iterations = 20;
  workflow_.plan.script.entry = "shop.js";
  workflow_.plan.script.provides = {{.key = "token", .to = {"Data"}}};
  run();
  EXPECT_EQ(machine_->provided_to("Data").size(), 1U);
  EXPECT_TRUE(machine_->provided_to("Other").empty());
}

TEST_F(WorkflowRunTest, ReportsShortfallOfChangeAfterALostShare) {
  workflow_ = scripted_run("dies always").job.workflows.front();
  workflow_.plan.load.duration = 1h;
  cores_ = {-1, -1};
  const plan::LoadCommand users{plan::LoadChangeKind::kUsers, 40}, rate{plan::LoadChangeKind::kRate, 100};
  std::string before, after;
  run([&] {
    if (!run_->begun() || run_->done()) return;
    if (!machine_->lost_a_share()) {
      before += machine_->shortfall(users);
      return;
    }
    after = machine_->shortfall(users);
    EXPECT_EQ(machine_->shortfall(rate), "executor 0 is lost: 50.0/s of it is left");
    EXPECT_EQ(machine_->shortfall({plan::LoadChangeKind::kPause, 0}), "");
    stop();
  });
  EXPECT_EQ(before, "");
  EXPECT_EQ(after, "executor 0 is lost: 20 of them run");
  EXPECT_EQ(recorded().vus_max, 10U) << "both were busy at the same time";
}

}  // namespace
}  // namespace hyperscale::node

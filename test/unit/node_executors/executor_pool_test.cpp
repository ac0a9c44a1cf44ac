// Real executors under a ShareMachine: what is done about those whose script does not behave, and the values that they
// give.
#include "node/executors/executor_pool.h"

#include "scripted_executor.h"
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
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ExecutorPoolTest : public testing::Test, protected PoolObserver {
 protected:
  struct Setup {
    plan::Plan plan;
    std::uint32_t executors = 1;
    std::uint32_t restarts_max = jobs::kRestartsMax;
    jobs::ScriptLimits script_limits = {};
  };
  static Setup setup_of(const std::string& script, std::uint32_t executors = 1) {
    Setup setup{.plan = scripted_plan(script), .executors = executors};
    setup.plan.script.entry = "shop.js";
    setup.plan.load.duration = 1h;
    return setup;
  }

  // Looks after it all the time, as a runner does a few times a second.
  void run(const Setup& setup, const std::function<bool()>& over) {
    const auto segments = plan::segments_of(10, setup.executors);
    share_.emplace(jobs::ShareSetup{.segments = segments,
                                    .load = setup.plan.load,
                                    .scripted = setup.plan.script.exists(),
                                    .restarts_max = setup.restarts_max,
                                    .limits = setup.script_limits});
    PoolObserver& observer = *this;
    auto made = ExecutorPool::make(io_,
                                   {.plan = setup.plan,
                                    .segments = segments,
                                    .backend = load::LoopBackend::kEpoll,
                                    .cores = {},
                                    .arguments = {"node_executors_test", "executor"},
                                    .streams = streams_.get()},
                                   observer);
    ASSERT_TRUE(made) << made.error().context;
    pool_ = std::move(*made);
    on_event(jobs::LaunchShare{});
    const MonoTime give_up = EventLoop::now() + 10s;
    while (!done_ && !over() && EventLoop::now() < give_up) {
      io_.restart();
      io_.run_one_for(std::chrono::milliseconds(5));
      on_event(jobs::LookAfter{pool_->sights()});
    }
    EXPECT_LT(EventLoop::now(), give_up) << "it hangs";
  }

  void on_event(const jobs::ShareMachine::Event& event) override {
    for (const auto& action : share_->step(event, EventLoop::now())) {
      if (const auto* command = std::get_if<jobs::ExecutorCommand>(&action)) carry_out(*command);
      if (std::holds_alternative<jobs::ShareReady>(action))
        on_event(jobs::StartShare{EventLoop::now() - began_ago_, {}});
      if (const auto* refused = std::get_if<jobs::ShareRefused>(&action)) ADD_FAILURE() << refused->why;
      if (const auto* died = std::get_if<jobs::ExecutorDied>(&action)) deaths_.push_back(died->sentence);
      if (std::holds_alternative<jobs::ShareDone>(action)) done_ = true;
    }
  }
  void on_log(load::LogLevel, const std::string& text) override { lines_.push_back(text); }

  void carry_out(const jobs::ExecutorCommand& command) {
    if (const auto* launch = std::get_if<jobs::LaunchExecutor>(&command)) {
      const Status launched = pool_->launch(*launch);
      ASSERT_TRUE(launched) << launched.error().context;
      on_event(jobs::Launched{launch->executor});
    }
    if (const auto* start = std::get_if<jobs::StartExecutor>(&command)) pool_->start(*start);
    if (const auto* kill = std::get_if<jobs::KillExecutor>(&command)) pool_->kill(kill->executor);
    if (const auto* lose = std::get_if<jobs::LoseExecutor>(&command)) pool_->lose(lose->executor);
  }

  test::TemporaryFolder shm_;
  asio::io_context io_;
  std::unique_ptr<StreamHost> streams_ = std::move(*StreamHost::start(io_, {.shm_base_dir = shm_.path()}));
  std::optional<jobs::ShareMachine> share_;
  std::unique_ptr<ExecutorPool> pool_;
  std::vector<std::string> deaths_, lines_;
  Duration began_ago_{};
  bool done_ = false;
};

constexpr auto kNever = [] { return false; };

TEST_F(ExecutorPoolTest, AScriptThatTakesTooMuchMemoryIsADeath) {
  Setup setup = setup_of("steady");
  setup.script_limits = {.resident_bytes = 1, .silence = 1h};
  run(setup, kNever);
  ASSERT_EQ(deaths_.size(), 2U) << "its share is started again once";
  EXPECT_THAT(deaths_[0], AllOf(StartsWith("killed, its script took more than "), HasSubstr(" of memory after "),
                                HasSubstr("its share was started again")));
  EXPECT_THAT(deaths_[1], HasSubstr("the rest of its share is lost"));
  EXPECT_TRUE(share_->lost_any());
}

TEST_F(ExecutorPoolTest, AScriptThatDoesNotLetGoIsADeath) {
  Setup setup = setup_of("silent");
  setup.script_limits.silence = 50ms;
  setup.restarts_max = 0;
  run(setup, kNever);
  ASSERT_EQ(deaths_.size(), 1U);
  EXPECT_THAT(deaths_[0], StartsWith("killed, its script did not let go for 50ms"));
  EXPECT_GT(pool_->recorded()->iterations, 0U) << "what it had recorded stays";
}

TEST_F(ExecutorPoolTest, SilentStartupHasTheTimeLimitOfAnAction) {
  Setup setup = setup_of("never alive");
  setup.script_limits.silence = 50ms;
  setup.restarts_max = 0;
  began_ago_ = 61s;
  run(setup, kNever);
  EXPECT_THAT(deaths_, ElementsAre(HasSubstr("did not let go")));
}

TEST_F(ExecutorPoolTest, AnActionThatHasJustBegunIsNotSilent) {
  Setup setup = setup_of("never alive");
  setup.script_limits.silence = 1ms;
  setup.plan.load.iterations = 200;
  run(setup, kNever);
  EXPECT_THAT(deaths_, IsEmpty());
  EXPECT_EQ(pool_->recorded()->iterations, 200U);
}

TEST_F(ExecutorPoolTest, OneThatShowsItselfIsLeftAlone) {
  Setup setup = setup_of("steady");
  setup.script_limits.silence = 5s;
  setup.plan.load.iterations = 200;
  run(setup, kNever);
  EXPECT_THAT(deaths_, IsEmpty());
  EXPECT_EQ(pool_->recorded()->iterations, 200U);
}

TEST_F(ExecutorPoolTest, WithoutAScriptNobodyIsLookedAfter) {
  Setup setup = setup_of("steady");
  setup.script_limits = {.resident_bytes = 1, .silence = 1ms};
  setup.plan.script = {};
  setup.plan.load.iterations = 100;
  run(setup, kNever);
  EXPECT_THAT(deaths_, IsEmpty());
  EXPECT_EQ(pool_->recorded()->iterations, 100U);
}

// What an executor gives comes with its last message.
TEST_F(ExecutorPoolTest, FirstExecutorsValueOfAKeyCounts) {
  Setup setup = setup_of("provides", 3);
  setup.plan.load.iterations = 30;
  run(setup, kNever);
  ASSERT_TRUE(done_);
  EXPECT_EQ(share_->values(), (std::vector<plan::SharedValue>{{.source = "plan", .key = "token", .json = "0"}}));
  EXPECT_THAT(lines_, testing::Each("provides is given"));
}

}  // namespace
}  // namespace hyperscale::node

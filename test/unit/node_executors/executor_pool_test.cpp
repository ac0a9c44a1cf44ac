// What a pool does about executors whose script does not behave, and the values that they give.
#include "node/executors/executor_pool.h"

#include "scripted_executor.h"
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
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ExecutorPoolTest : public testing::Test, protected PoolObserver {
 protected:
  static PoolSetup setup_of(const std::string& script, std::uint32_t executors = 1) {
    PoolSetup setup{.plan = scripted_plan(script),
                    .segments = plan::segments_of(10, executors),
                    .backend = load::LoopBackend::kEpoll,
                    .cores = {}};
    setup.arguments = {"node_executors_test", "executor"};
    setup.plan.script.entry = "shop.js";
    setup.plan.load.duration = 1h;
    return setup;
  }

  // Looks after it all the time, as a runner does a few times a second.
  void run(PoolSetup setup, const std::function<bool()>& over) {
    PoolObserver& observer = *this;
    setup.streams = streams_.get();
    auto made = ExecutorPool::make(io_, std::move(setup), observer);
    ASSERT_TRUE(made) << made.error().context;
    pool_ = std::move(*made);
    const MonoTime give_up = EventLoop::now() + 10s;
    while (!done_ && !over() && EventLoop::now() < give_up) {
      io_.restart();
      io_.run_one_for(std::chrono::milliseconds(5));
      pool_->look_after();
    }
    EXPECT_LT(EventLoop::now(), give_up) << "it hangs";
  }

  void on_ready() override { pool_->start(EventLoop::now() - began_ago_); }
  void on_refused(std::uint32_t, const std::string& why) override { ADD_FAILURE() << why; }
  void on_died(std::uint32_t, const std::string& sentence) override { deaths_.push_back(sentence); }
  void on_log(load::LogLevel, const std::string& text) override { lines_.push_back(text); }
  void on_done() override { done_ = true; }

  test::TemporaryFolder shm_;
  asio::io_context io_;
  std::unique_ptr<StreamHost> streams_ = std::move(*StreamHost::start(io_, {.shm_base_dir = shm_.path()}));
  std::unique_ptr<ExecutorPool> pool_;
  std::vector<std::string> deaths_, lines_;
  Duration began_ago_{};
  bool done_ = false;
};

constexpr auto kNever = [] { return false; };

TEST_F(ExecutorPoolTest, AScriptThatTakesTooMuchMemoryIsADeath) {
  PoolSetup setup = setup_of("steady");
  setup.script_limits = {.resident_bytes = 1, .silence = 1h};
  run(std::move(setup), kNever);
  ASSERT_EQ(deaths_.size(), 2U) << "its share is started again once";
  EXPECT_THAT(deaths_[0], AllOf(StartsWith("killed, its script took more than "), HasSubstr(" of memory after "),
                                HasSubstr("its share was started again")));
  EXPECT_THAT(deaths_[1], HasSubstr("the rest of its share is lost"));
  EXPECT_TRUE(pool_->lost_a_share());
}

TEST_F(ExecutorPoolTest, AScriptThatDoesNotLetGoIsADeath) {
  PoolSetup setup = setup_of("silent");
  setup.script_limits.silence = 50ms;
  setup.restarts_max = 0;
  run(std::move(setup), kNever);
  ASSERT_EQ(deaths_.size(), 1U);
  EXPECT_THAT(deaths_[0], StartsWith("killed, its script did not let go for 50ms"));
  EXPECT_GT(pool_->recorded()->iterations, 0U) << "what it had recorded stays";
}

TEST_F(ExecutorPoolTest, OneThatHasNeverShownItselfHasTheTimeOfAnAction) {
  PoolSetup setup = setup_of("never alive");
  setup.script_limits.silence = 50ms;
  setup.restarts_max = 0;
  began_ago_ = 61s;
  run(std::move(setup), kNever);
  EXPECT_THAT(deaths_, ElementsAre(HasSubstr("did not let go")));
}

TEST_F(ExecutorPoolTest, AnActionThatHasJustBegunIsNotSilent) {
  PoolSetup setup = setup_of("never alive");
  setup.script_limits.silence = 1ms;
  setup.plan.load.iterations = 200;
  run(std::move(setup), kNever);
  EXPECT_THAT(deaths_, IsEmpty());
  EXPECT_EQ(pool_->recorded()->iterations, 200U);
}

TEST_F(ExecutorPoolTest, OneThatShowsItselfIsLeftAlone) {
  PoolSetup setup = setup_of("steady");
  setup.script_limits.silence = 5s;
  setup.plan.load.iterations = 200;
  run(std::move(setup), kNever);
  EXPECT_THAT(deaths_, IsEmpty());
  EXPECT_EQ(pool_->recorded()->iterations, 200U);
}

TEST_F(ExecutorPoolTest, WithoutAScriptNobodyIsLookedAfter) {
  PoolSetup setup = setup_of("steady");
  setup.script_limits = {.resident_bytes = 1, .silence = 1ms};
  setup.plan.script = {};
  setup.plan.load.iterations = 100;
  run(std::move(setup), kNever);
  EXPECT_THAT(deaths_, IsEmpty());
  EXPECT_EQ(pool_->recorded()->iterations, 100U);
}

// What an executor gives comes with its last message.
TEST_F(ExecutorPoolTest, OfValuesWithTheSameKeyTheFirstExecutorsCounts) {
  PoolSetup setup = setup_of("provides", 3);
  setup.plan.load.iterations = 30;
  run(std::move(setup), kNever);
  ASSERT_TRUE(done_);
  EXPECT_EQ(pool_->values(), (std::vector<plan::SharedValue>{{.source = "plan", .key = "token", .json = "0"}}));
  EXPECT_THAT(lines_, testing::Each("provides is given"));
}

}  // namespace
}  // namespace hyperscale::node

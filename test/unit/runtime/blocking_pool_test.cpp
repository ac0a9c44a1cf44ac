#include "runtime/task/blocking_pool.h"

#include "loop_test.h"
#include "runtime/clock/clock.h"

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

#include <boost/asio/post.hpp>
#include <gmock/gmock.h>

namespace hyperscale::runtime {
namespace {

using Job = std::function<int()>;

asio::awaitable<Result<int>> run_on(BlockingPool& pool, MonoTime deadline, Job job) {
  co_return co_await pool.run("job", deadline, std::move(job));
}

// Holds a thread of the pool until it is opened.
class Gate {
 public:
  int pass() {
    ++inside;
    opened_.wait();
    return 1;
  }
  void open() { open_.set_value(); }
  std::atomic<int> inside{0};

 private:
  std::promise<void> open_;
  std::shared_future<void> opened_ = open_.get_future().share();
};

class BlockingPoolTest : public LoopTest {
 protected:
  Result<int> run_job(BlockingPool& pool, Job job, MonoTime deadline = MonoTime::max()) {
    return run(run_on(pool, deadline, std::move(job)));
  }
};
BOTH_FLAVOURS(BlockingPoolTest);

TEST_P(BlockingPoolTest, ReturnsResultsAndTurnsExceptionsIntoErrors) {
  BlockingPool pool(2, 8);
  EXPECT_EQ(run_job(pool, [] { return 42; }), 42);
  const auto thrown = run_job(pool, []() -> int { throw std::runtime_error("disk on fire"); });
  ASSERT_FALSE(thrown);
  EXPECT_EQ(thrown.error().code, ErrorCode::kInternal);
  EXPECT_EQ(thrown.error().context, "disk on fire");
  const auto odd =
      run_job(pool, []() -> int { throw 7; });  // NOLINT(hicpp-exception-baseclass): what a library might do
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().code, ErrorCode::kInternal);
  EXPECT_TRUE(pool.shutdown(kTestBound).empty());
}

// proves: NODE-CH-2
TEST_P(BlockingPoolTest, AFullQueueIsBusyAtOnce) {
  BlockingPool pool(1, 2);
  Gate gate;
  auto first = spawn(run_on(pool, MonoTime::max(), [&gate] { return gate.pass(); }));
  ASSERT_TRUE(eventually([&] { return gate.inside == 1; }));
  auto second = spawn(run_on(pool, MonoTime::max(), [] { return 2; }));
  auto third = spawn(run_on(pool, MonoTime::max(), [] { return 3; }));
  ASSERT_TRUE(eventually([&] { return pool.queued() == 2; }));
  const auto refused = run_job(pool, [] { return 4; });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBusy);
  gate.open();
  EXPECT_EQ(first.get(), 1);
  EXPECT_EQ(second.get(), 2);
  EXPECT_EQ(third.get(), 3);
  EXPECT_TRUE(pool.shutdown(kTestBound).empty());
  EXPECT_EQ(run_job(pool, [] { return 5; }).error().code, ErrorCode::kUnavailable);
}

TEST_P(BlockingPoolTest, AJobPastItsDeadlineIsATimeout) {
  BlockingPool pool(1, 2);
  Gate gate;
  const auto late = run_job(pool, [&gate] { return gate.pass(); }, mono_now() + 5ms);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::kTimeout);
  gate.open();
  EXPECT_TRUE(pool.shutdown(kTestBound).empty());
}

// proves part: NODE-INV-7 (the pool holds no event loop up; not that files and crypto go there)
TEST_P(BlockingPoolTest, TheEventLoopsTurnWhileAJobBlocks) {
  BlockingPool pool(1, 2);
  Gate gate;
  std::atomic<bool> on_a_loop{true};
  auto blocked = spawn(run_on(pool, MonoTime::max(), [&] {
    std::array<char, 16> name{};
    ::pthread_getname_np(::pthread_self(), name.data(), name.size());
    on_a_loop = std::string_view(name.data()).starts_with("loop-");
    return gate.pass();
  }));
  ASSERT_TRUE(eventually([&] { return gate.inside == 1; }));
  // One turn for each loop thread and more: none of them is held up.
  for (int i = 0; i < 100; ++i) {
    std::promise<void> turned;
    asio::post(loops.make_strand(), [&turned] { turned.set_value(); });
    ASSERT_EQ(turned.get_future().wait_for(kTestBound), std::future_status::ready);
  }
  EXPECT_EQ(blocked.wait_for(0s), std::future_status::timeout);
  EXPECT_FALSE(on_a_loop);
  gate.open();
  EXPECT_EQ(blocked.get(), 1);
  EXPECT_TRUE(pool.shutdown(kTestBound).empty());
}

// proves part: NODE-SAFE-3 (abort, count, log and leaving behind; not the ban of pthread_cancel)
TEST_P(BlockingPoolTest, ShutdownLeavesAHungJobBehindAndNamesIt) {
  auto gate = std::make_shared<Gate>();
  auto back = std::make_shared<std::promise<void>>();
  auto came_back = back->get_future();
  {
    BlockingPool pool(2, 8);
    ASSERT_TRUE(pool.submit("lost disk", [gate, back] {
      gate->pass();
      back->set_value();
    }));
    ASSERT_TRUE(eventually([&] { return gate->inside == 1; }));
    EXPECT_EQ(run_job(pool, [] { return 1; }), 1) << "the other thread still works";
    const MonoTime begin = mono_now();
    EXPECT_THAT(pool.shutdown(10ms), ::testing::ElementsAre("lost disk"));
    EXPECT_LT(mono_now() - begin, kTestBound);
  }
  // The thread that was left behind comes back to state that is still there.
  gate->open();
  EXPECT_EQ(came_back.wait_for(kTestBound), std::future_status::ready);
}

}  // namespace
}  // namespace hyperscale::runtime

#include "runtime/task/errands.h"

#include "concurrent/bounded_queue.h"
#include "loop_test.h"
#include "runtime/channel/async_queue.h"
#include "runtime/clock/clock.h"
#include "runtime/log/log.h"

#include <atomic>
#include <stdexcept>

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

using concurrent::Overflow;
using IntQueue = concurrent::BoundedQueue<int>;

class ErrandsTest : public LoopTest {
 protected:
  void start(asio::awaitable<void> errand) {
    asio::post(strand, [this, errand = std::move(errand)]() mutable { errands->run(std::move(errand)); });
  }
  bool finish(Duration patience) {
    return asio::co_spawn(strand, errands->finish(mono_now() + patience), asio::use_future).get();
  }

  std::shared_ptr<LogCapture> lines = std::make_shared<LogCapture>();
  std::unique_ptr<Log> log = Log::open({.capture = lines}).value();
  asio::any_io_executor strand = loops.make_strand();
  std::shared_ptr<Errands> errands = std::make_shared<Errands>(strand, *log, "test");
  IntQueue queue{64, Overflow::kReject};
  std::atomic<int> done = 0;
};
BOTH_FLAVOURS(ErrandsTest);

asio::awaitable<void> take_one(IntQueue& queue, std::atomic<int>& done) {
  const auto item = co_await async_pop(queue);
  if (item) ++done;
}

asio::awaitable<void> throw_one() {
  throw std::runtime_error("out of milk");
  co_return;
}

// proves part: AD2-1 (everywhere but in the files that the rule's list allows)
TEST_P(ErrandsTest, EachIsSeenWhileItRunsAndNoneIsLeftBehind) {
  for (int i = 0; i < 3; ++i) start(take_one(queue, done));
  ASSERT_TRUE(eventually([&] { return errands->running() == 3; }));
  queue.try_push(1);
  ASSERT_TRUE(eventually([&] { return errands->running() == 2; }));
  EXPECT_EQ(done, 1);
  EXPECT_TRUE(finish(10ms)) << "two waited for something that never came";
  EXPECT_EQ(errands->running(), 0U);
  EXPECT_EQ(done, 1);
  start(take_one(queue, done));
  queue.try_push(1);
  EXPECT_TRUE(finish(kTestBound));
  EXPECT_EQ(done, 1) << "nothing is started any more";
}

TEST_P(ErrandsTest, WhoEndsByItselfInTimeIsNotCancelled) {
  for (int i = 0; i < 2; ++i) start(take_one(queue, done));
  ASSERT_TRUE(eventually([&] { return errands->running() == 2; }));
  auto ended = asio::co_spawn(strand, errands->finish(mono_now() + kTestBound), asio::use_future);
  for (int i = 0; i < 2; ++i) queue.try_push(1);
  EXPECT_TRUE(ended.get());
  EXPECT_EQ(done, 2);
}

TEST_P(ErrandsTest, WhatOneThrowsIsLoggedAndHurtsNobodyElse) {
  start(take_one(queue, done));
  start(throw_one());
  ASSERT_TRUE(eventually([&] { return errands->running() == 1; }));
  queue.try_push(1);
  ASSERT_TRUE(eventually([&] { return done == 1; }));
  EXPECT_TRUE(finish(kTestBound));
  EXPECT_TRUE(lines->wait_for("out of milk", kTestBound));
}

}  // namespace
}  // namespace hyperscale::runtime

#include "realtime/work_threads.h"

#include <latch>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

namespace hyperscale::realtime {
namespace {

constexpr Duration kForever = 1h;  // a signal that does not come is a test that runs into its time limit

struct WorkThreadsTest : testing::Test {
  void start(const std::shared_ptr<std::latch>& until) {
    ASSERT_TRUE(threads.start("work", nullptr, [until] { until->wait(); }));
  }
  WorkThreads threads{start_named_thread};
};

// proves part: MURK-SHUT-10 (the end of a thread wakes who waits; not that a shutdown waits and does not poll)
TEST_F(WorkThreadsTest, AThreadThatEndsWakesWhoeverWaits) {
  const auto go = std::make_shared<std::latch>(1);
  start(go);
  const std::uint64_t seen = threads.changes();
  EXPECT_FALSE(threads.all_exited());
  std::thread waiter([&] { threads.wait_for_change(seen, kForever); });
  go->count_down();
  waiter.join();
  EXPECT_TRUE(threads.all_exited());
  EXPECT_TRUE(threads.join_or_detach().empty());
}

TEST_F(WorkThreadsTest, WhoSaysProgressWakesThemToo) {
  const std::uint64_t seen = threads.changes();
  std::thread waiter([&] { threads.wait_for_change(seen, kForever); });
  threads.progress();
  waiter.join();
}

TEST_F(WorkThreadsTest, WhatHasHappenedAlreadyIsNotWaitedFor) {
  const std::uint64_t seen = threads.changes();
  threads.progress();
  threads.wait_for_change(seen, kForever);
}

// proves part: MURK-SHUT-10 (the end of a thread wakes who waits; not that a shutdown waits and does not poll)
TEST_F(WorkThreadsTest, AThreadThatDoesNotEndHoldsNobodyUp) {
  const auto never = std::make_shared<std::latch>(1);
  start(never);
  threads.wait_for_change(threads.changes(), 1ms);
  EXPECT_EQ(threads.join_or_detach(), std::vector<std::string>{"work"});
  never->count_down();
}

TEST_F(WorkThreadsTest, FailedStartIsNotTakenForAnotherThread) {
  bool works = false;
  WorkThreads some([&works](const std::string& name, std::function<void()> body) -> Result<std::thread> {
    if (!std::exchange(works, true)) return fail(ErrorCode::kInternal, "none to be had");
    return start_named_thread(name, std::move(body));
  });
  EXPECT_FALSE(some.start("failed", nullptr, [] {}));
  EXPECT_TRUE(some.all_exited());
  const auto never = std::make_shared<std::latch>(1);
  ASSERT_TRUE(some.start("hangs", nullptr, [never] { never->wait(); }));
  EXPECT_FALSE(some.all_exited());
  EXPECT_EQ(some.join_or_detach(), std::vector<std::string>{"hangs"}) << "and is not waited for";
  never->count_down();
}

TEST_F(WorkThreadsTest, ThreadsThatHaveEndedAreNotKept) {
  for (int i = 0; i < 50; ++i) {
    const std::uint64_t seen = threads.changes();
    ASSERT_TRUE(threads.start("short", nullptr, [] {}));
    threads.wait_for_change(seen, kForever);
  }
  EXPECT_EQ(threads.kept(), 1u);
  EXPECT_TRUE(threads.join_or_detach().empty());
  EXPECT_EQ(threads.kept(), 0u);
}

}  // namespace
}  // namespace hyperscale::realtime

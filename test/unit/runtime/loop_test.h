// LoopTest: a test that runs on event loops, once on a single thread and once on several, as a node can.
// eventually(): waits for a condition with a generous bound, so that a broken part fails a test instead of hanging it.
#pragma once

#include "runtime/task/event_loops.h"

#include <future>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

namespace hyperscale::runtime {

inline constexpr Duration kTestBound = 20s;
inline constexpr Duration kPollInterval = 1ms;

template <typename Condition>
bool eventually(Condition condition) {
  std::promise<void> never;
  const auto tick = never.get_future();
  const auto end = std::chrono::steady_clock::now() + kTestBound;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    tick.wait_for(kPollInterval);
  }
  return true;
}

class LoopTest : public ::testing::TestWithParam<unsigned> {
 protected:
  LoopTest() : loops(GetParam()) { loops.start(); }
  ~LoopTest() override { EXPECT_TRUE(loops.stop_and_join(kTestBound)); }

  template <typename T>
  std::future<T> spawn(asio::awaitable<T> work) {
    return asio::co_spawn(loops.make_strand(), std::move(work), asio::use_future);
  }
  template <typename T>
  T run(asio::awaitable<T> work) {
    return spawn(std::move(work)).get();
  }

  EventLoops loops;
};

inline std::string flavour_name(const ::testing::TestParamInfo<unsigned>& info) {
  return info.param == 1 ? "single_thread" : "threads";
}

#define BOTH_FLAVOURS(suite) INSTANTIATE_TEST_SUITE_P(Flavour, suite, ::testing::Values(1u, 4u), flavour_name)

}  // namespace hyperscale::runtime

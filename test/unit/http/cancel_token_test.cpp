#include "runtime/http/cancel_token.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

TEST(CancelToken, DefaultTokenIsNeverCancelled) {
  const CancelToken token;
  int calls = 0;
  const auto registration = token.on_cancel([&] { ++calls; });
  EXPECT_FALSE(token.canceled());
  EXPECT_EQ(calls, 0);
}

TEST(CancelToken, CallbacksRunOnce) {
  const CancelSource source;
  int calls = 0;
  const auto registration = source.token().on_cancel([&] { ++calls; });
  source.cancel();
  source.cancel();
  EXPECT_TRUE(source.token().canceled());
  EXPECT_EQ(calls, 1);
}

TEST(CancelToken, LateRegistrationRunsAtOnce) {
  const CancelSource source;
  source.cancel();
  int calls = 0;
  const auto registration = source.token().on_cancel([&] { ++calls; });
  EXPECT_EQ(calls, 1);
}

TEST(CancelToken, DroppedRegistrationIsNotCalled) {
  const CancelSource source;
  int calls = 0;
  {
    const auto registration = source.token().on_cancel([&] { ++calls; });
  }
  auto kept = source.token().on_cancel([&] { calls += 10; });
  kept = source.token().on_cancel([&] { calls += 100; });
  source.cancel();
  EXPECT_EQ(calls, 100);
}

TEST(CancelToken, RegisteringRacesCancelWithoutLosingACall) {
  for (int round = 0; round < 200; ++round) {
    const CancelSource source;
    std::atomic<int> calls{0};
    std::thread canceler([&] { source.cancel(); });
    const auto registration = source.token().on_cancel([&] { ++calls; });
    canceler.join();
    EXPECT_EQ(calls, 1);
  }
}

}  // namespace
}  // namespace hyperscale::runtime

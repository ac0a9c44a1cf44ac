#include "manager/fetch_queue.h"

#include <gtest/gtest.h>

namespace hyperscale::manager {
namespace {

wire::AttemptId attempt(std::uint32_t share) {
  return {{"job", 0, wire::SharePart::kSteps, share}, {1, 1}};
}

TEST(FetchQueue, EightAtATimeInOrder) {
  FetchQueue queue;
  for (std::uint32_t i = 0; i < 10; ++i) queue.add(attempt(i));
  for (std::uint32_t i = 0; i < kFetchesMax; ++i) EXPECT_EQ(queue.next(), attempt(i));
  EXPECT_EQ(queue.next(), std::nullopt);
  EXPECT_EQ(queue.waiting(), 2U);
  EXPECT_TRUE(queue.done(attempt(3)));
  EXPECT_FALSE(queue.done(attempt(3)));
  EXPECT_EQ(queue.next(), attempt(8));
  EXPECT_EQ(queue.next(), std::nullopt);
  EXPECT_EQ(queue.in_flight(), kFetchesMax);
}

TEST(FetchQueue, DropsOnlyWhatWaits) {
  FetchQueue queue;
  queue.add(attempt(0));
  queue.add(attempt(1));
  queue.next();
  queue.drop(attempt(0));
  queue.drop(attempt(1));
  EXPECT_TRUE(queue.is_in_flight(attempt(0)));
  EXPECT_FALSE(queue.has(attempt(1)));
  EXPECT_DEATH(queue.add(attempt(0)), "fetched twice");
}

}  // namespace
}  // namespace hyperscale::manager

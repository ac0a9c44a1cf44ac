#include "sim/engine/event_queue.h"

#include "base/prng.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::sim {
namespace {

TEST(EventQueue, EventsComeByTimeAndThenInTheOrderOfInsertion) {
  EventQueue queue;
  Prng prng(3);
  std::vector<std::pair<std::int64_t, std::uint32_t>> expected;
  for (std::uint32_t i = 0; i < 1'000; ++i) {
    const auto at = static_cast<std::int64_t>(prng.below(50));
    queue.push(SimTime::from_ns(at), EventKind::kCall, 0, i, 0);
    expected.emplace_back(at, i);
  }
  std::ranges::sort(expected);
  for (const auto& [at, payload] : expected) {
    EXPECT_EQ(queue.next_at().ns(), at);
    EXPECT_EQ(queue.pop().payload, payload);
  }
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace hyperscale::sim

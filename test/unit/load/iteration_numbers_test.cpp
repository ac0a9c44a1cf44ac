#include "load/pacing/iteration_numbers.h"

#include "plan/fleet/slots.h"

#include <vector>

#include <gmock/gmock.h>

namespace hyperscale::load {
namespace {

using testing::ElementsAre;

TEST(IterationNumbers, ExecutorsOfAShareTakeEachOnce) {
  IterationNumberCells cells{};
  const IterationNumbers one(cells);
  const IterationNumbers other(cells);
  EXPECT_THAT((std::vector{one.take(), other.take(), other.take(), one.take()}), ElementsAre(0, 1, 2, 3));
}

// Each machine has memory of its own.
TEST(IterationNumbers, SharesHaveDifferentOnes) {
  const auto slots = plan::segments_of(8, 4);
  const auto shares = plan::subdivide(slots, std::vector<std::uint32_t>{3, 1});
  IterationNumberCells first_cells{};
  IterationNumberCells second_cells{};
  const IterationNumbers first(first_cells, plan::numbers_of(shares[0]));
  const IterationNumbers second(second_cells, plan::numbers_of(shares[1]));
  EXPECT_THAT((std::vector{first.take(), first.take(), first.take(), first.take()}), ElementsAre(0, 1, 2, 4));
  EXPECT_THAT((std::vector{second.take(), second.take()}), ElementsAre(3, 7));
}

}  // namespace
}  // namespace hyperscale::load

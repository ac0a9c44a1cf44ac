#include "election/eligibility.h"

#include <gtest/gtest.h>

namespace hyperscale::election {
namespace {

// proves part: LEAD-2 (the core, and a node's priority; not that a node's own health reaches its election)
TEST(Eligibility, HealthThenPriorityThenName) {
  const RankedName healthy{{.health_score = 0, .priority = 0}, "z"};
  const RankedName important{{.health_score = 1, .priority = 9}, "y"};
  const RankedName plain{{.health_score = 1, .priority = 1}, "b"};
  const RankedName namesake{{.health_score = 1, .priority = 1}, "c"};
  const RankedName order[] = {healthy, important, plain, namesake};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) EXPECT_EQ(better(order[i], order[j]), i < j) << i << " " << j;
  }
}

// proves part: LEAD-1 (not that a suspected node is not eligible)
TEST(Eligibility, TheLimitItselfIsHealthyEnough) {
  EXPECT_TRUE(healthy_enough(4, 4.0));
  EXPECT_FALSE(healthy_enough(5, 4.0));
  EXPECT_FALSE(healthy_enough(4, 3.5));
}

}  // namespace
}  // namespace hyperscale::election

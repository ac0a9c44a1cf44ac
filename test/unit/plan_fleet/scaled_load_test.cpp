#include "plan/fleet/scaled_load.h"

#include "plan/limits.h"

#include <gmock/gmock.h>

namespace hyperscale::plan {
namespace {

using testing::HasSubstr;

TEST(ScaledLoad, MultipliesWhatIsCounted) {
  const Load load{.vus = 10, .rate_per_s = 2.5, .stages = {{10s, 4}}, .duration = 10s, .iterations = 7};
  Load whole = load;
  whole.vus = 30;
  whole.rate_per_s = 7.5;
  whole.stages[0].target = 12;
  whole.iterations = 21;
  EXPECT_EQ(scaled(load, 3), whole);
  EXPECT_EQ(scaled(load, 1), load);
}

TEST(ScaledLoad, ProductsAreWithinLimits) {
  const auto error_of = [](const Load& load, std::uint32_t datacenters) {
    const auto whole = scaled(load, datacenters);
    return whole ? "accepted" : whole.error().context;
  };
  EXPECT_EQ(error_of({.vus = kFleetVusMax / 4, .stages = {}}, 4), "accepted");
  EXPECT_EQ(error_of({.vus = kFleetVusMax / 4 + 1, .stages = {}}, 4),
            "250000001 users in each of 4 datacenters are more than 1000000000 together; use fewer, or divide the load "
            "over the datacenters");
  EXPECT_THAT(error_of({.stages = {}, .iterations = UINT64_MAX / 2 + 1}, 2),
              HasSubstr("iterations in each of 2 datacenters"));
  EXPECT_EQ(error_of({.stages = {}, .iterations = UINT64_MAX / 2}, 2), "accepted");
  EXPECT_THAT(error_of({.rate_per_s = 6e8, .stages = {}}, 2), HasSubstr("iterations per second in each of 2"));
  EXPECT_THAT(error_of({.stages = {{1s, 1}, {1s, 6e8}}}, 2), HasSubstr("users of a stage in each of 2"));
}

}  // namespace
}  // namespace hyperscale::plan

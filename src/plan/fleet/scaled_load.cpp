#include "plan/fleet/scaled_load.h"

#include "base/check.h"
#include "plan/limits.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace hyperscale::plan {

Result<Load> scaled(const Load& load, std::uint32_t datacenters) {
  CHECK(datacenters > 0, "a load of no datacenter");
  const auto beyond = [&](auto each, const char* what, auto most) {
    return invalid(
        fmt::format("{} {} in each of {} datacenters are more than {} together; use fewer, or divide the load "
                    "over the datacenters",
                    each, what, datacenters, most));
  };
  if (load.vus > kFleetVusMax / datacenters) return beyond(load.vus, "users", kFleetVusMax);
  if (load.iterations > UINT64_MAX / datacenters) return beyond(load.iterations, "iterations", UINT64_MAX);
  Load whole = load;
  whole.vus *= datacenters;
  whole.iterations *= datacenters;
  whole.rate_per_s *= datacenters;
  if (whole.rate_per_s > kRateMax) return beyond(load.rate_per_s, "iterations per second", kRateMax);
  for (Stage& stage : whole.stages) {
    const double each = stage.target;
    stage.target *= datacenters;
    const char* what = load.pacing == Pacing::kOpen ? "iterations per second of a stage" : "users of a stage";
    if (stage.target > kRateMax) return beyond(each, what, kRateMax);
  }
  return whole;
}

}  // namespace hyperscale::plan

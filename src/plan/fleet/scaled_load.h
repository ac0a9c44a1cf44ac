// The load of a workflow that each of several datacenters runs as a whole, as one load of all of them together: users,
// rates and iterations times the number of datacenters; times stay as they are.
//
// slots_of() then divides it. Pure; any thread.
#pragma once

#include "base/result.h"
#include "plan/plan.h"

#include <cstdint>

namespace hyperscale::plan {

// kInvalidArgument with one sentence if a product is beyond its limit. One datacenter changes nothing. REQUIRES:
// datacenters > 0.
Result<Load> scaled(const Load& load, std::uint32_t datacenters);

}  // namespace hyperscale::plan

// True time of the virtual world, which no process can read: each has its own clock (clock_skew.h). Plain values.
#pragma once

#include "base/time.h"

#include <cstdint>

namespace hyperscale::sim {

using SimTime = TimePoint<struct SimTimeTag>;

// Index of a machine in its world. Machines are numbered in the order of their names, so that the order of the list
// does not matter.
using HostId = std::uint32_t;

// A packet from outside of the cluster comes from kStrangerFirst or above.
inline constexpr HostId kStrangerFirst = 0x8000'0000;

}  // namespace hyperscale::sim

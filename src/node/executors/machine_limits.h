// What this machine and this process's surroundings allow: cores and open files.
//
// Any thread. raise_descriptor_limit() changes the process and whatever it starts later.
#pragma once

#include <cstdint>
#include <vector>

namespace hyperscale::node {

// The cores of the inherited affinity mask, in order; at least one.
std::vector<int> usable_cores();

// Raises the soft limit of open files to the hard one and says what it is now.
std::uint64_t raise_descriptor_limit();

}  // namespace hyperscale::node

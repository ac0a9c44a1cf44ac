// Limits of this machine and process: usable cores and open files.
//
// Any thread. raise_descriptor_limit() affects the process and its later children.
#pragma once

#include <cstdint>
#include <vector>

namespace hyperscale::node {

// The cores of the inherited affinity mask, in order; at least one.
std::vector<int> usable_cores();

// Raises the soft limit of open files to the hard one and returns the limit in force.
std::uint64_t raise_descriptor_limit();

}  // namespace hyperscale::node

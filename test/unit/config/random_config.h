// Random valid configurations: every field anywhere in its range, all rules between fields kept. The same seed gives
// the same one.
#pragma once

#include "runtime/config/node_config.h"

#include <cstdint>

namespace hyperscale::runtime {

NodeConfig random_config(std::uint64_t seed);

}  // namespace hyperscale::runtime

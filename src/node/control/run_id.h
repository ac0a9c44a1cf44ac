// RunId: the name of one run, {unix_ms}-{8 hex digits}. Newer runs sort after older ones.
#pragma once

#include "base/time.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::node {

// The digits are random, so that two runs of the same millisecond differ.
std::string make_run_id(WallTime now);
// The seed of a run without --seed: short enough to type.
std::uint32_t make_seed();
bool is_run_id(std::string_view text);

}  // namespace hyperscale::node

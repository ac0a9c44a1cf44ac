// Priority of a workflow, and the range of threads that it requests (EXEC-PRIO-1). Pure; any thread.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string_view>

namespace hyperscale::plan {

// In rising order of claim: this is the order in which workflows are served, last one first.
enum class Priority : std::uint8_t { kLow, kAuto, kNormal, kHigh, kExclusive };

struct ThreadRange {
  std::uint32_t min = 1;
  std::uint32_t max = 1;
  bool operator==(const ThreadRange&) const = default;
};

std::string_view name(Priority priority);  // "low"
// Either case. A failure lists the valid names and the nearest one.
Result<Priority> parse_priority(std::string_view text);

// For a test workflow, from all threads of the pool, busy or not; the number of users does not matter. REQUIRES: pool >
// 0.
ThreadRange threads_of(Priority priority, std::uint32_t pool);

}  // namespace hyperscale::plan

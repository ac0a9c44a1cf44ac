// ScriptLimits: limits for native operations of a script, which the engine cannot interrupt. Pure; any thread.
#pragma once

#include "base/time.h"

#include <cstdint>
#include <string>

namespace hyperscale::jobs {

struct ScriptLimits {
  std::uint64_t resident_bytes = std::uint64_t{2} << 30;
  Duration silence = 10s;
  Duration first_sign = 60s;  // extra time until the first sign of life, for a first action
};

// What the adapter observes of an executor's process.
struct Sight {
  std::uint32_t executor = 0;
  MonoTime alive;  // when its script last returned to the loop; zero: not yet
  std::uint64_t resident_bytes = 0;
  bool was_cut = false;  // the stream's file is shorter than it was created
};

// Why a scripted executor must be killed; empty: no limit is broken. `start`: when its share started.
std::string broken_limit(const Sight& sight, const ScriptLimits& limits, MonoTime start, MonoTime now);

}  // namespace hyperscale::jobs

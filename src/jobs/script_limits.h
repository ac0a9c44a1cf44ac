// ScriptLimits: what a script may take that the engine in its process cannot stop: native operations. Pure; any thread.
#pragma once

#include "base/time.h"

#include <cstdint>
#include <string>

namespace hyperscale::jobs {

struct ScriptLimits {
  std::uint64_t resident_bytes = std::uint64_t{2} << 30;
  Duration silence = 10s;
  Duration first_sign = 60s;  // before the silence counts: a first action has so long
};

// What is seen of an executor's process.
struct Sight {
  std::uint32_t executor = 0;
  MonoTime alive;  // when its script last let go of the loop; zero: not yet
  std::uint64_t resident_bytes = 0;
  bool was_cut = false;  // the file of its stream is shorter than it was made
};

// Why a scripted executor has to be killed; empty: it does not have to be. `start`: of its share.
std::string broken_limit(const Sight& sight, const ScriptLimits& limits, MonoTime start, MonoTime now);

}  // namespace hyperscale::jobs

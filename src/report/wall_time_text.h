// Wall-clock times as text, in UTC. Pure functions, any thread.
#pragma once

#include "base/time.h"

#include <string>

namespace hyperscale::report {

std::string rfc3339(WallTime time);         // "2026-11-16T01:43:10.250Z", milliseconds rounded down
std::string rfc3339_micros(WallTime time);  // the same with six digits
std::string readable_time(WallTime time);   // "2026-11-16 01:43:10 UTC"

}  // namespace hyperscale::report

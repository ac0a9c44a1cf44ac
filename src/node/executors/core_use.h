// What other programs and other machines took from a process that is bound to a core. Blocking, two small reads of
// /proc; any thread.
#pragma once

#include "base/time.h"

#include <string_view>

#include <sys/types.h>

namespace hyperscale::node {

// Since the process or the machine began; a kernel that does not tell has zeros.
struct CoreUse {
  Duration waited{};  // in which the process could have run, and another one had the core
  Duration stolen{};  // in which the host of a virtual machine had given the core away
};

// A negative core: any, and nothing is stolen from it.
CoreUse core_use_of(pid_t process, int core);

// Of the texts of /proc/PID/schedstat and /proc/stat.
Duration waited_of(std::string_view schedstat);
Duration stolen_of(std::string_view stat, int core, long ticks_per_second);

}  // namespace hyperscale::node

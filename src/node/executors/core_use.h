// CPU time that other programs and the hypervisor took from a process that is bound to a core. Blocking, two small
// reads of /proc; any thread.
#pragma once

#include "base/time.h"

#include <string_view>

#include <sys/types.h>

namespace hyperscale::node {

// Since the start of the process or the machine; zero if the kernel does not report it.
struct CoreUse {
  Duration waited{};  // the process was runnable and another one had the core
  Duration stolen{};  // the host of a virtual machine ran something else on the core
};

// A negative core means any core; `stolen` is then zero.
CoreUse core_use_of(pid_t process, int core);

// Parsed from the texts of /proc/PID/schedstat and /proc/stat.
Duration waited_of(std::string_view schedstat);
Duration stolen_of(std::string_view stat, int core, long ticks_per_second);

}  // namespace hyperscale::node

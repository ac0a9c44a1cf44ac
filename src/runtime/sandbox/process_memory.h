// The memory that a process has in use. Blocking, one small read of /proc; any thread.
#pragma once

#include <cstdint>

#include <sys/types.h>

namespace hyperscale::runtime {

// Zero when there is no such process.
std::uint64_t resident_bytes_of(pid_t process);

}  // namespace hyperscale::runtime

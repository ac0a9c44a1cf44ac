// The system calls that are left to a process which runs a script (seccomp). Everything that is not named in
// call_filter.cpp fails with EPERM; calls that no script engine makes by mistake (execve, ptrace, mount, bpf ...) end
// the process with SIGSYS.
//
// All threads of the process, also those that exist. Memory may be made executable: the script engine compiles.
#pragma once

#include "base/result.h"

#include <cstdint>

namespace hyperscale::runtime {

// New sockets: none, TCP over IPv4 and IPv6, or these and Unix stream sockets. Ones that are open keep working.
enum class Sockets : std::uint8_t { kNone, kTcp, kTcpAndUnix };

bool kernel_filters_calls();

// False: this kernel has no filters (or the build is one for sanitizers, which call what they like). REQUIRES:
// no_new_privs.
Result<bool> filter_calls(Sockets sockets);

}  // namespace hyperscale::runtime

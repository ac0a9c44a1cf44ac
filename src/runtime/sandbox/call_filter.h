// The allowed system calls of a process that runs a script (seccomp). Everything that is not named in call_filter.cpp
// fails with EPERM; calls that no script engine makes by mistake (execve, ptrace, mount, bpf ...) end the process with
// SIGSYS.
//
// All threads of the process, also those that exist. Memory may be made executable: the script engine compiles.
#pragma once

#include "base/result.h"

#include <cstdint>

namespace hyperscale::runtime {

// New sockets: none, or TCP over IPv4 and IPv6, with Unix stream sockets, UDP or both beside it. Ones that are open
// keep working.
enum class Sockets : std::uint8_t { kNone = 0, kTcp = 1, kTcpAndUnix = 3, kTcpAndUdp = 5, kTcpUnixAndUdp = 7 };
constexpr bool with_unix(Sockets sockets) {
  return (static_cast<unsigned>(sockets) & 2U) != 0;
}
constexpr bool with_udp(Sockets sockets) {
  return (static_cast<unsigned>(sockets) & 4U) != 0;
}
constexpr Sockets tcp_and(bool unix_streams, bool udp) {
  return static_cast<Sockets>(1U | (unix_streams ? 2U : 0U) | (udp ? 4U : 0U));
}

bool kernel_filters_calls();

// False: the kernel has no seccomp, or this is a sanitizer build, which needs other calls. REQUIRES: no_new_privs.
Result<bool> filter_calls(Sockets sockets);

}  // namespace hyperscale::runtime

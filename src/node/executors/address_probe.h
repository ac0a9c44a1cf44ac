// Which of several addresses take connections at all. A name such as localhost often has an IPv6 address that nobody
// listens on; sending half of the users there would make half of a test fail.
//
// Blocking, all addresses at once; any thread.
#pragma once

#include "base/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::node {

inline constexpr Duration kProbeTimeout = 1s;

// The addresses that accepted a TCP connection in time, in their order; all of them when none did.
std::vector<std::string> reachable_addresses(const std::vector<std::string>& addresses, std::uint16_t port,
                                             Duration timeout = kProbeTimeout);

}  // namespace hyperscale::node

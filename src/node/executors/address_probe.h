// Probes which of several addresses accept connections. A name such as localhost often has an IPv6 address on which no
// server listens; half of the requests of a test would fail there.
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

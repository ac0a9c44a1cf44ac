// Which terms are believed. A term must fit the upper half of a fencing token, and one message may not carry a node far
// ahead: a corrupt or lying term would otherwise end all elections for good.
#pragma once

#include "wire/node_identity.h"

#include <cstdint>

namespace hyperscale::election {

inline constexpr wire::Term kTermMax = wire::Term(UINT32_MAX);
// At an election every three seconds a node may be away for a year and a half.
inline constexpr std::uint64_t kTermJumpMax = std::uint64_t{1} << 24;

constexpr bool plausible_term(wire::Term own, wire::Term seen) {
  return seen <= kTermMax && (seen <= own || seen.value() - own.value() <= kTermJumpMax);
}

}  // namespace hyperscale::election

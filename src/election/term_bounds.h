// Which terms are accepted. A term must fit the upper half of a fencing token, and no member may exhaust the terms of a
// group: a group holds at most one election in the shortest time that an attempt takes, and no group is older than the
// epoch of message ids, so that the wall clock bounds its terms from above.
//
// The bound is the same for every node, independent of its state: a node that was absent for long, or is new, follows
// its group at once, and no node accepts a term that the others refuse. A malicious member can use up the terms of the
// past, which is harmless, and then one in each such interval: the last one comes in more than a hundred years.
#pragma once

#include "base/snowflake.h"
#include "base/time.h"
#include "wire/node_identity.h"

#include <algorithm>
#include <cstdint>

namespace hyperscale::election {

inline constexpr wire::Term kTermMax = wire::Term(UINT32_MAX);
// Slack: clocks differ, by less than the acceptance window of messages, and several candidates may raise the term at
// once.
inline constexpr std::int64_t kTermSlack = 256;

// The latest term that a group can have reached. `shortest_attempt`: between two elections of one node.
constexpr wire::Term latest_plausible_term(WallTime wall, Duration shortest_attempt) {
  const std::int64_t age_ms = std::max<std::int64_t>(wall.ms() - kSnowflakeEpochUnixMs, 0);
  const std::int64_t attempt_ms = std::max<std::int64_t>(shortest_attempt / 1ms, 1);
  return std::min(kTermMax, wire::Term(static_cast<std::uint64_t>(age_ms / attempt_ms + kTermSlack)));
}

}  // namespace hyperscale::election

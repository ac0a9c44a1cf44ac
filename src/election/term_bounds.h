// Which terms are believed. A term must fit the upper half of a fencing token, and no member may push the terms of a
// group to their end: a group holds at most one election in the shortest time that an attempt takes, and no group is
// older than the first moment that a message id can tell, so that the wall clock bounds its terms from above.
//
// The bound is the same for every node, whatever it remembers: a node that was away for long, or starts anew, follows
// its group at once, and no node can be talked into a term that the others refuse. A liar inside the group can use up
// the terms of the past, which costs nothing, and then one in each such time: the last one comes in more than a hundred
// years.
#pragma once

#include "base/snowflake.h"
#include "base/time.h"
#include "wire/node_identity.h"

#include <algorithm>
#include <cstdint>

namespace hyperscale::election {

inline constexpr wire::Term kTermMax = wire::Term(UINT32_MAX);
// Clocks differ, by less than messages are accepted for, and several candidates may raise the term at once.
inline constexpr std::int64_t kTermSlack = 256;

// The latest term that a group can have reached. `shortest_attempt`: between two elections of one node.
constexpr wire::Term latest_plausible_term(WallTime wall, Duration shortest_attempt) {
  const std::int64_t age_ms = std::max<std::int64_t>(wall.ms() - kSnowflakeEpochUnixMs, 0);
  const std::int64_t attempt_ms = std::max<std::int64_t>(shortest_attempt / 1ms, 1);
  return std::min(kTermMax, wire::Term(static_cast<std::uint64_t>(age_ms / attempt_ms + kTermSlack)));
}

}  // namespace hyperscale::election

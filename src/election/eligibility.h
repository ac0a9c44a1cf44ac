// Which nodes may lead, and which are preferred. Pure functions.
#pragma once

#include "wire/cluster_message.h"

#include <compare>
#include <cstdint>
#include <string_view>

namespace hyperscale::election {

// Degradation of this node by its health and the lag of its loop (BP-1).
enum class Degradation : std::uint8_t { kNormal, kElevated, kHigh, kSevere, kCritical };

constexpr bool healthy_enough(std::uint8_t health_score, double max_leader_lhm) {
  return static_cast<double>(health_score) <= max_leader_lhm;
}

struct RankedName {
  wire::CandidateRank rank;
  std::string_view name;
};

// Lower health score first, then higher priority, then the smaller name (LEAD-2).
constexpr bool better(const RankedName& a, const RankedName& b) {
  if (a.rank.health_score != b.rank.health_score) return a.rank.health_score < b.rank.health_score;
  if (a.rank.priority != b.rank.priority) return a.rank.priority > b.rank.priority;
  return a.name < b.name;
}

}  // namespace hyperscale::election

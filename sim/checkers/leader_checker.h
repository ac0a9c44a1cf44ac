// LeaderChecker: one leader for each term of a group; at most one acting leader at a time; terms and fencing tokens of
// acting leaders only grow.
//
// Single-threaded. Receives every node that becomes leader, and every instant at which one may act: a wrong lease shows
// as two acting leaders at one true time, for any clock error.
#pragma once

#include "sim/checkers/observation.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace hyperscale::sim {

class LeaderChecker {
 public:
  static constexpr std::string_view kOnePerTerm = "one_leader_per_term";
  static constexpr std::string_view kOneActs = "one_acting_leader";
  static constexpr std::string_view kFencing = "fencing_grows";

  Finding became_leader(std::uint32_t group, HostId host, std::uint64_t term, std::uint64_t fence);
  // All nodes that may act in this group at this moment; at least one.
  Finding acting(std::uint32_t group, const std::vector<HostId>& hosts);
  // The term of the acting leader.
  Finding acting_term(std::uint32_t group, HostId host, std::uint64_t term);

 private:
  struct Won {
    HostId host = 0;
    std::uint64_t fence = 0;
  };
  struct Group {
    std::map<std::uint64_t, Won> by_term;
    std::uint64_t acting_term = 0;
    HostId acting_host = 0;
  };

  std::map<std::uint32_t, Group> groups_;
};

}  // namespace hyperscale::sim

// VoteChecker: what a node writes down never goes back: its term and its incarnation only grow, and the vote of a term,
// once given, stays. It remembers across restarts, which the node itself can do only by its disk.
//
// Single-threaded.
#pragma once

#include "sim/checkers/observation.h"

#include <map>
#include <string_view>

namespace hyperscale::sim {

class VoteChecker {
 public:
  static constexpr std::string_view kName = "vote_once";

  Finding persisted(HostId host, const PersistedVote& vote);

 private:
  std::map<HostId, PersistedVote> last_;
};

}  // namespace hyperscale::sim

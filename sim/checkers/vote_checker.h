// VoteChecker: persisted state never goes back: term and incarnation only grow, and the vote of a term never changes.
// It remembers across restarts, unlike the node, which has only its disk.
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

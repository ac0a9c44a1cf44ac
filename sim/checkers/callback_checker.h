// CallbackChecker: whoever acts on the death of a member is told exactly once for each passage to dead (AD31-1), and
// was told before that it is up: nobody dies unconfirmed, and nobody dies twice without having come back.
//
// Single-threaded. An observer that restarts has forgotten everything, so it is judged by its run.
#pragma once

#include "sim/checkers/observation.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

namespace hyperscale::sim {

class CallbackChecker {
 public:
  static constexpr std::string_view kName = "callbacks_once";

  // The observer has no past.
  void restarted(HostId observer);
  Finding up(HostId observer, HostId member, bool recovered);
  Finding down(HostId observer, HostId member, std::uint64_t incarnation);
  // What the observer's own view says about a member: the last callback must agree with it.
  Finding seen(HostId observer, const SeenMember& member) const;

 private:
  struct Told {
    bool up = false;
    bool ever_down = false;
    std::uint64_t down_incarnation = 0;  // of the last death
  };

  std::map<std::pair<HostId, HostId>, Told> told_;
};

}  // namespace hyperscale::sim

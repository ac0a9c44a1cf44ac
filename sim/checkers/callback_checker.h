// CallbackChecker: each death of a member is reported exactly once per passage to dead (AD31-1), and after a report
// that it is up: no unconfirmed member dies, and none dies twice without a recovery in between.
//
// Single-threaded. An observer that restarts has no state, so it is checked per run.
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

  // The observer starts without history.
  void restarted(HostId observer);
  Finding up(HostId observer, HostId member, bool recovered);
  Finding down(HostId observer, HostId member, std::uint64_t incarnation);
  // The state of a member in the observer's own view: the last callback must agree with it.
  Finding seen(HostId observer, const SeenMember& member) const;

 private:
  struct Reported {
    bool up = false;
    bool ever_down = false;
    std::uint64_t down_incarnation = 0;  // of the last death
  };

  std::map<std::pair<HostId, HostId>, Reported> reported_;
};

}  // namespace hyperscale::sim

// StateChecker: states of a node are delivered in its order: no receiver gets an older state after a newer one, also
// with late, repeated or replayed packets (SWIM-EMBED-3). The same one again is allowed: a refutation repeats it.
//
// Single-threaded. A state is the sender's run and a count within it. An observer that restarts has no state.
#pragma once

#include "sim/checkers/observation.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

namespace hyperscale::sim {

struct ToldState {
  std::uint32_t run = 0;
  std::uint32_t count = 0;

  auto operator<=>(const ToldState&) const = default;
};

class StateChecker {
 public:
  static constexpr std::string_view kName = "states_in_order";

  void restarted(HostId observer);
  Finding handed(HostId observer, HostId from, ToldState state);

 private:
  std::map<std::pair<HostId, HostId>, ToldState> last_;
};

}  // namespace hyperscale::sim

#include "sim/checkers/state_checker.h"

#include <fmt/format.h>

namespace hyperscale::sim {

void StateChecker::restarted(HostId observer) {
  last_.erase(last_.lower_bound({observer, 0}), last_.lower_bound({observer + 1, 0}));
}

Finding StateChecker::handed(HostId observer, HostId from, ToldState state) {
  ToldState& last = last_[{observer, from}];
  if (state < last) {
    return fmt::format("machine {} is handed state {}.{} of {} after {}.{}", observer, state.run, state.count, from,
                       last.run, last.count);
  }
  last = state;
  return std::nullopt;
}

}  // namespace hyperscale::sim

// BugPlanter: turns on the bug switches of cores, for the simulator and for tests that show that a broken rule is
// detected. Any thread, before the core with the switch runs.
#pragma once

#include "wire/bug_switch.h"

namespace hyperscale {

class BugPlanter {
 public:
  // A switch that is turned on.
  static constexpr wire::BugSwitch planted() {
    wire::BugSwitch bug;
    bug.planted_ = true;
    return bug;
  }
};

}  // namespace hyperscale

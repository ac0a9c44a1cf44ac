// BugPlanter: turns the bug switches of cores on, for the simulator and for tests that show that a broken rule is
// noticed. Any thread, before the core that has the switch runs.
#pragma once

#include "wire/bug_switch.h"

namespace hyperscale {

class BugPlanter {
 public:
  // A switch that is on.
  static constexpr wire::BugSwitch planted() {
    wire::BugSwitch bug;
    bug.planted_ = true;
    return bug;
  }
};

}  // namespace hyperscale

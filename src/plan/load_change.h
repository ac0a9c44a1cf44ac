// LoadChange: what someone changes in the load of a workflow while it runs. A value; every executor of the workflow
// gets the same ones in the same order, also one that takes the place of another.
#pragma once

#include "base/time.h"

#include <cstdint>

namespace hyperscale::plan {

enum class LoadChangeKind : std::uint8_t {
  kUsers,   // closed: so many users; open: at most so many busy at once
  kRate,    // open only: so many iterations per second
  kPause,   // no iteration begins any more, and the time of the plan stands still
  kResume,  // the plan goes on where it was
};

struct LoadChange {
  LoadChangeKind kind = LoadChangeKind::kPause;
  double value = 0;  // of the first two
  MonoTime at;       // from when on, on the clock of all processes of the machine
  bool operator==(const LoadChange&) const = default;
};

}  // namespace hyperscale::plan

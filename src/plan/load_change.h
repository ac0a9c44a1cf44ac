// LoadChange: a change of the load of a running workflow. A value; every executor of the workflow gets the same changes
// in the same order, also a replacement.
#pragma once

#include "base/time.h"

#include <cstdint>

namespace hyperscale::plan {

enum class LoadChangeKind : std::uint8_t {
  kUsers,   // closed: this number of users; open: at most this many busy at once
  kRate,    // open only: iterations per second
  kPause,   // no iteration begins, and the time of the plan stops
  kResume,  // the plan continues where it was paused
};

struct LoadChange {
  LoadChangeKind kind = LoadChangeKind::kPause;
  double value = 0;  // of the first two
  MonoTime at;       // when it takes effect, on the clock of all processes of the machine
  bool operator==(const LoadChange&) const = default;
};

}  // namespace hyperscale::plan

// Random draws for faults. Pure functions of the given generator; probability zero draws nothing, so that disabling one
// fault does not change the others.
#pragma once

#include "base/prng.h"

namespace hyperscale::sim {

inline bool chance(Prng& prng, double probability) {
  return probability > 0 && prng.unit() < probability;
}

// REQUIRES: hi >= 0.
inline Duration up_to(Prng& prng, Duration hi) {
  return hi <= Duration(0) ? Duration(0) : prng.between(Duration(0), hi);
}

}  // namespace hyperscale::sim

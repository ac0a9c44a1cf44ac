// Exponential backoff with jitter, so that callers do not synchronise.
//
// The first delay is random in [first_min, first_max]. Delay k is random in [kJitterFloor, 1] times min(first * 2^k,
// cap): each delay is longer than the one before until the cap is reached, none exceeds the cap, and delays at the cap
// still differ from each other. Thread rule: one owner. Deterministic for a given Prng.
#pragma once

#include "base/prng.h"
#include "base/time.h"

namespace hyperscale::runtime {

class JitteredBackoff {
 public:
  static constexpr double kJitterFloor = 0.75;

  // REQUIRES: 0 < first_min <= first_max <= cap.
  JitteredBackoff(Duration first_min, Duration first_max, Duration cap, Prng prng);

  Duration next();
  // The next delay is a first delay again.
  void reset() { ceiling_ = Duration::zero(); }

 private:
  Duration first_min_;
  Duration first_max_;
  Duration cap_;
  Prng prng_;
  Duration ceiling_ = Duration::zero();  // zero: no delay was given since the last reset
};

}  // namespace hyperscale::runtime

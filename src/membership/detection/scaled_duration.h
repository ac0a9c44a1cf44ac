// A duration times a factor, rounded to the nearest nanosecond. Pure function.
// REQUIRES: the result fits, which holds for durations below a year and factors below a hundred.
#pragma once

#include "base/time.h"

#include <cmath>

namespace hyperscale::membership {

inline Duration scaled(Duration duration, double factor) {
  return Duration(std::llround(static_cast<double>(duration.count()) * factor));
}

}  // namespace hyperscale::membership

// Durations as people write them in files and on command lines: "250ms", "5s", "1m30s", "2h", "100us", "0s"; and as the
// seconds of figures.
//
// A duration is one or more whole numbers, each with a unit (h, m, s, ms, us, ns), largest unit first, no unit twice,
// no spaces and no sign. Pure functions, safe on any thread. Bad text is kInvalidArgument with a sentence that says
// what to write instead; a value beyond the 292 years that a Duration can hold is rejected, never wrapped.
#pragma once

#include "base/result.h"
#include "base/time.h"

#include <string>
#include <string_view>

namespace hyperscale {

Result<Duration> parse_duration(std::string_view text);

// One short exact form per value, which parse_duration turns back into the same value: "1m30s", "250ms", "1500us". A
// negative duration, which no setting accepts, gets a leading "-" so that it can be shown in a log.
std::string format_duration(Duration duration);

// For rates and figures; exact up to 104 days. The one conversion: the tidy rule one_seconds finds others.
constexpr double seconds(Duration duration) {
  return static_cast<double>(duration.count()) / 1e9;
}

}  // namespace hyperscale

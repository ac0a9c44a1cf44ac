// ChartAxis: the scale of one direction of a chart, with ticks at round values.
//
// Plain value and pure functions, any thread. `place` maps a value to 0..1 along the axis, clamped.
#pragma once

#include "base/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::report {

struct ChartTick {
  double value;
  std::string label;
};

struct ChartAxis {
  double low = 0;
  double high = 1;  // above low
  bool logarithmic = false;
  std::string title;
  std::vector<ChartTick> ticks;

  double place(double value) const;
};

// From zero to a round value at or above `high`: "0", "20k", "40k".
ChartAxis count_axis(double high, std::string title);
// Percentages of a whole, from zero: "0%", "5%".
ChartAxis share_axis(double high_percent, std::string title);
// Seconds since the start: "0s", "30s", "1m".
ChartAxis time_axis(Duration end);
// Values in ns. Logarithmic when the values span more than a decade, else from zero.
ChartAxis latency_axis(Duration low, Duration high, std::string title);
// Always logarithmic, and as tight as the values allow.
ChartAxis log_latency_axis(Duration low, Duration high, std::string title);
// Values are nines: -log10(1 - percentile / 100), so that 90, 99 and 99.9 % are equally far apart; limited to what
// `count` values can resolve.
ChartAxis percentile_axis(std::uint64_t count);
double nines_of(double percentile);
double percentile_of(double nines);

}  // namespace hyperscale::report

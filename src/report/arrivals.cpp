#include "report/arrivals.h"

#include "base/duration_text.h"

#include <algorithm>

namespace hyperscale::report {
namespace {

constexpr double kToleratedShortfall = 0.01;

Duration time_of_arrivals(const results::RunResult& result) {
  if (result.planned > Duration::zero()) return std::min(result.planned, result.elapsed);
  // Bounded by count: the last start is not known, but it was no earlier than the longest duration before the end.
  Duration longest{};
  for (const results::StepResult& step : result.steps) longest = std::max(longest, step.series.duration.max());
  return longest < result.elapsed ? result.elapsed - longest : result.elapsed;
}

}  // namespace

double achieved_rate_per_s(const results::RunResult& result) {
  const Duration time = time_of_arrivals(result);
  if (time <= Duration::zero()) return 0;
  return static_cast<double>(result.iterations) / seconds(time);
}

bool fell_behind(const results::RunResult& result) {
  if (!result.open_loop || !(result.asked_rate_per_s > 0)) return false;
  return achieved_rate_per_s(result) < result.asked_rate_per_s * (1 - kToleratedShortfall);
}

}  // namespace hyperscale::report

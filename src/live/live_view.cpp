#include "live/live_view.h"

#include "base/check.h"

#include <algorithm>
#include <cmath>

namespace hyperscale::live {
namespace {

// Below this part of the iterations their rate does not predict the end.
constexpr double kTooEarly = 0.01;

double part(double done, double whole) {
  return std::clamp(done / whole, 0.0, 1.0);
}

double iterations_part(const LiveView& view) {
  return part(static_cast<double>(view.iterations), static_cast<double>(view.iterations_planned));
}

}  // namespace

std::string_view name(RunState state) {
  switch (state) {
    case RunState::kStarting:
      return "starting";
    case RunState::kWarmUp:
      return "warming up";
    case RunState::kRunning:
      return "running";
    case RunState::kPaused:
      return "paused";
    case RunState::kStopping:
      return "stopping";
    case RunState::kDone:
      return "done";
  }
  UNREACHABLE("a state of a run that does not exist");
}

std::optional<double> progress(const LiveView& view) {
  std::optional<double> done;
  if (view.planned > Duration::zero()) {
    done = part(static_cast<double>(view.elapsed.count()), static_cast<double>(view.planned.count()));
  }
  if (view.iterations_planned > 0) done = std::max(done.value_or(0), iterations_part(view));
  return done;
}

std::optional<Duration> time_left(const LiveView& view) {
  std::optional<Duration> left;
  if (view.planned > Duration::zero()) left = std::max(Duration::zero(), view.planned - view.elapsed);
  if (view.iterations_planned > 0 && iterations_part(view) >= kTooEarly) {
    const double rest = 1 / iterations_part(view) - 1;
    const Duration by_count(std::llround(static_cast<double>(view.elapsed.count()) * rest));
    left = std::min(left.value_or(by_count), by_count);
  }
  return left;
}

bool is_failing(const LiveView& view) {
  return std::ranges::any_of(view.thresholds,
                             [](const ThresholdView& t) { return t.state == ThresholdState::kFailing; });
}

}  // namespace hyperscale::live

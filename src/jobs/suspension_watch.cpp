#include "jobs/suspension_watch.h"

#include "base/duration_text.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::jobs {
namespace {

// The loop that beats also reads the signal, so it arrives shortly after the first beat.
constexpr Duration kSignalDelayMax = 1s;

}  // namespace

Duration SuspensionWatch::beat(MonoTime now) {
  const Duration gap = now - std::exchange(last_, now);
  if (gap < kStandstillMin) return {};
  gap_ = gap;
  gap_end_ = now;
  return gap;
}

std::optional<Duration> SuspensionWatch::continued(MonoTime now) {
  beat(now);
  const Duration gap = std::exchange(gap_, {});
  if (gap == Duration::zero() || now - gap_end_ > kSignalDelayMax) return std::nullopt;
  suspended_ += gap;
  ++times_;
  return gap;
}

std::string SuspensionWatch::warning() const {
  if (times_ == 0) return {};
  return fmt::format(
      "The run was suspended for {:.1f}s{}: requests that were under way or due then may take that much longer in the "
      "figures, rates are lower, and iterations are late or dropped because of it; run again without a suspension.",
      seconds(suspended_), times_ == 1 ? "" : fmt::format(" ({} times)", times_));
}

}  // namespace hyperscale::jobs

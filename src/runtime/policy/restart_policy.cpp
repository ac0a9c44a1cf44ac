#include "runtime/policy/restart_policy.h"

#include "base/check.h"

#include <algorithm>

namespace hyperscale::runtime {

TaskBackoff::TaskBackoff(RestartLimits limits, Prng prng)
    : limits_(limits), backoff_(limits.first_delay_min, limits.first_delay_max, limits.delay_cap, prng) {}

Duration TaskBackoff::next_delay(MonoTime crashed_at) {
  if (last_crash_ && crashed_at - *last_crash_ >= limits_.backoff_reset_after) {
    backoff_.reset();
    crashes_ = 0;
  }
  last_crash_ = crashed_at;
  ++crashes_;
  return backoff_.next();
}

RestartWindow::RestartWindow(RestartLimits limits) : limits_(limits) {
  CHECK(limits.restarts_max >= 0 && static_cast<std::size_t>(limits.restarts_max) < kRestartsRememberedMax,
        "restarts_max {}", limits.restarts_max);
}

void RestartWindow::on_restart(MonoTime now) {
  while (!restarts_.empty() && now - restarts_.front() >= limits_.window) restarts_.pop_front();
  if (restarts_.size() == kRestartsRememberedMax) restarts_.pop_front();
  restarts_.push_back(now);

  const auto allowed = static_cast<std::size_t>(limits_.restarts_max);
  if (restarts_.size() <= allowed) return;
  // Too many count until the oldest of the newest `allowed + 1` has left the window.
  const MonoTime oldest = restarts_[restarts_.size() - allowed - 1];
  degraded_until_ = oldest + limits_.window + limits_.recovery_hysteresis;
}

int RestartWindow::restarts_in_window(MonoTime now) const {
  return static_cast<int>(
      std::ranges::count_if(restarts_, [&](MonoTime restart) { return now - restart < limits_.window; }));
}

}  // namespace hyperscale::runtime

// When a crashed task is restarted, and when a service that keeps crashing is degraded.
//
// TaskBackoff answers "how long to wait before the next start" (NODE-TOP-5); RestartWindow answers "does it restart too
// often" (NODE-TOP-6). Being degraded never stops the restarting: a service that becomes stable returns to ready.
// Thread rule: one owner each. Times passed to one object must not go backwards.
#pragma once

#include "base/prng.h"
#include "base/time.h"
#include "runtime/policy/jittered_backoff.h"

#include <cstddef>
#include <deque>
#include <optional>

namespace hyperscale::runtime {

struct RestartLimits {
  Duration first_delay_min = 100ms;
  Duration first_delay_max = 500ms;
  Duration delay_cap = 5s;
  int restarts_max = 5;
  Duration window = 60s;
  Duration backoff_reset_after = 60s;
  Duration recovery_hysteresis = 5s;
};

// One per task.
class TaskBackoff {
 public:
  TaskBackoff(RestartLimits limits, Prng prng);

  // The wait before the task is started again after a crash at crashed_at.
  Duration next_delay(MonoTime crashed_at);
  // Crashes since the backoff last started afresh.
  int crashes() const { return crashes_; }

 private:
  RestartLimits limits_;
  JitteredBackoff backoff_;
  std::optional<MonoTime> last_crash_;
  int crashes_ = 0;
};

// One per service. A restart counts for `window` after it happened. The service is degraded while more than
// restarts_max count, and until that has no longer been so for recovery_hysteresis; the answer does not depend on how
// often one asks.
class RestartWindow {
 public:
  // Older restarts are evicted first; far above what a backoff of 100 ms can produce in a window of 60 s.
  static constexpr std::size_t kRestartsRememberedMax = 1024;

  explicit RestartWindow(RestartLimits limits);

  void on_restart(MonoTime now);
  bool degraded(MonoTime now) const { return degraded_until_ && now < *degraded_until_; }
  int restarts_in_window(MonoTime now) const;

 private:
  RestartLimits limits_;
  std::deque<MonoTime> restarts_;
  std::optional<MonoTime> degraded_until_;
};

}  // namespace hyperscale::runtime

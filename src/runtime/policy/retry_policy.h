// Whether and when one call is retried (NODE-TIME-4).
//
//   RetrySchedule schedule(limits, prng, deadline, /*idempotent=*/true);
//   while (call fails with code) { auto delay = schedule.next_delay(now, code); if (!delay) give up; wait *delay; }
//
// Thread rule: one owner, one call. tries_max counts the first try too: three tries are one call and two retries.
#pragma once

#include "base/error.h"
#include "base/prng.h"
#include "base/time.h"
#include "runtime/policy/jittered_backoff.h"

#include <optional>

namespace hyperscale::runtime {

struct RetryLimits {
  Duration initial_min = 50ms;
  Duration initial_max = 100ms;
  Duration cap = 2s;
  int tries_max = 3;
};

class RetrySchedule {
 public:
  RetrySchedule(RetryLimits limits, Prng prng, MonoTime deadline, bool idempotent);

  // How long to wait before the next try; nothing when there must be none: the call is not idempotent, the tries are
  // used up, the error is not retryable, or the next try would begin at or past the deadline.
  std::optional<Duration> next_delay(MonoTime now, ErrorCode code);

 private:
  JitteredBackoff backoff_;
  MonoTime deadline_;
  int tries_left_;
  bool idempotent_;
};

}  // namespace hyperscale::runtime

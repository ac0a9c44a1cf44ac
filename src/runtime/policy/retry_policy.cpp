#include "runtime/policy/retry_policy.h"

#include "base/check.h"

namespace hyperscale::runtime {

RetrySchedule::RetrySchedule(RetryLimits limits, Prng prng, MonoTime deadline, bool idempotent)
    : backoff_(limits.initial_min, limits.initial_max, limits.cap, prng),
      deadline_(deadline),
      tries_left_(limits.tries_max - 1),
      idempotent_(idempotent) {
  CHECK(limits.tries_max >= 1, "tries_max {}", limits.tries_max);
}

std::optional<Duration> RetrySchedule::next_delay(MonoTime now, ErrorCode code) {
  if (!idempotent_ || tries_left_ == 0 || traits(code).retry == RetryAdvice::kNo) return std::nullopt;
  const Duration delay = backoff_.next();
  // Written without now + delay, which a deadline of "never" would let overflow.
  if (delay >= deadline_ - now) {
    tries_left_ = 0;
    return std::nullopt;
  }
  --tries_left_;
  return delay;
}

}  // namespace hyperscale::runtime

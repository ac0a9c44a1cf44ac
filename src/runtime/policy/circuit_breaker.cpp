#include "runtime/policy/circuit_breaker.h"

#include "base/check.h"

namespace hyperscale::runtime {

std::string_view name(BreakerState state) {
  switch (state) {
    case BreakerState::kClosed:
      return "closed";
    case BreakerState::kOpen:
      return "open";
    case BreakerState::kHalfOpen:
      return "half-open";
  }
  UNREACHABLE("breaker state {}", static_cast<int>(state));
}

CircuitBreaker::CircuitBreaker(BreakerLimits limits)
    : limits_(limits), bucket_width_(limits.window / static_cast<Duration::rep>(kBuckets)) {
  CHECK(bucket_width_ > Duration::zero() && limits.cool_down > Duration::zero(), "window {} ns, cool-down {} ns",
        limits.window.count(), limits.cool_down.count());
  CHECK(limits.min_samples > 0 && limits.half_open_probes > 0, "min samples {}, probes {}", limits.min_samples,
        limits.half_open_probes);
  CHECK(limits.error_rate > 0 && limits.error_rate <= 1, "error rate {}", limits.error_rate);
  CHECK(limits.errors > 0 && limits.errors <= kBreakerErrorsMax, "{} errors", limits.errors);
  CHECK(limits.probes_at_once >= 0 && limits.probes_at_once <= limits.half_open_probes, "{} probes at once",
        limits.probes_at_once);
}

bool CircuitBreaker::allow(MonoTime now) {
  if (state_ == BreakerState::kClosed) return true;
  const bool waited = now - since_ >= limits_.cool_down;
  if (state_ == BreakerState::kOpen) {
    if (!waited) return false;
    half_open(now);
  } else if (!probe_is_free()) {
    if (!waited) return false;
    half_open(now);
  }
  ++probes_started_;
  since_ = now;
  return true;
}

bool CircuitBreaker::probe_is_free() const {
  if (probes_started_ == limits_.half_open_probes) return false;
  return limits_.probes_at_once == 0 || probes_started_ - probes_succeeded_ < limits_.probes_at_once;
}

void CircuitBreaker::on_success(MonoTime now) {
  switch (state_) {
    case BreakerState::kClosed:
      return record(now, true);
    case BreakerState::kOpen:
      return;
    case BreakerState::kHalfOpen:
      if (++probes_succeeded_ == limits_.half_open_probes) close();
      return;
  }
}

void CircuitBreaker::on_failure(MonoTime now) {
  switch (state_) {
    case BreakerState::kClosed:
      return record(now, false);
    case BreakerState::kOpen:
      return;
    case BreakerState::kHalfOpen:
      return open(now);
  }
}

BreakerState CircuitBreaker::state(MonoTime now) const {
  if (state_ == BreakerState::kOpen && now - since_ >= limits_.cool_down) return BreakerState::kHalfOpen;
  return state_;
}

void CircuitBreaker::record(MonoTime now, bool success) {
  const std::int64_t number = bucket_number(now);
  Bucket& bucket = buckets_[static_cast<std::size_t>(number) % kBuckets];
  if (bucket.number != number) bucket = {.number = number};
  ++(success ? bucket.successes : bucket.failures);
  if (success && limits_.rule == BreakerRule::kErrorsInARow) errors_ = 0;
  if (success && limits_.rule != BreakerRule::kErrorRate) return;
  if (!success) last_errors_[static_cast<std::size_t>(errors_++ % limits_.errors)] = now;
  if (should_open(now)) open(now);
}

bool CircuitBreaker::should_open(MonoTime now) const {
  if (limits_.rule == BreakerRule::kErrorRate) return too_many_samples_failed(now);
  if (errors_ < limits_.errors) return false;
  // The next to be overwritten is the oldest of the last `errors`.
  const MonoTime oldest = last_errors_[static_cast<std::size_t>(errors_ % limits_.errors)];
  return limits_.rule == BreakerRule::kErrorsInARow || now - oldest <= limits_.window;
}

bool CircuitBreaker::too_many_samples_failed(MonoTime now) const {
  const std::int64_t oldest = bucket_number(now) - static_cast<std::int64_t>(kBuckets) + 1;
  std::int64_t successes = 0;
  std::int64_t failures = 0;
  for (const Bucket& bucket : buckets_) {
    if (bucket.number < oldest) continue;
    successes += bucket.successes;
    failures += bucket.failures;
  }
  const std::int64_t samples = successes + failures;
  return samples >= limits_.min_samples &&
         static_cast<double>(failures) >= limits_.error_rate * static_cast<double>(samples);
}

void CircuitBreaker::open(MonoTime now) {
  state_ = BreakerState::kOpen;
  since_ = now;
}

void CircuitBreaker::close() {
  state_ = BreakerState::kClosed;
  buckets_ = {};
  errors_ = 0;
}

void CircuitBreaker::half_open(MonoTime now) {
  state_ = BreakerState::kHalfOpen;
  since_ = now;
  probes_started_ = 0;
  probes_succeeded_ = 0;
}

std::int64_t CircuitBreaker::bucket_number(MonoTime now) const {
  return now.ns() / bucket_width_.count();
}

}  // namespace hyperscale::runtime

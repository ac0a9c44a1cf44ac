#include "runtime/policy/jittered_backoff.h"

#include "base/check.h"

namespace hyperscale::runtime {
namespace {

Duration scaled(Duration duration, double factor) {
  return Duration(static_cast<Duration::rep>(static_cast<double>(duration.count()) * factor));
}

}  // namespace

JitteredBackoff::JitteredBackoff(Duration first_min, Duration first_max, Duration cap, Prng prng)
    : first_min_(first_min), first_max_(first_max), cap_(cap), prng_(prng) {
  CHECK(Duration::zero() < first_min && first_min <= first_max && first_max <= cap, "backoff {}..{} ns, cap {} ns",
        first_min.count(), first_max.count(), cap.count());
}

Duration JitteredBackoff::next() {
  if (ceiling_ == Duration::zero()) {
    ceiling_ = prng_.between(first_min_, first_max_);
    return ceiling_;
  }
  // Compared before doubling: a cap near the largest duration must not overflow.
  ceiling_ = ceiling_ > cap_ / 2 ? cap_ : ceiling_ * 2;
  return prng_.between(scaled(ceiling_, kJitterFloor), ceiling_);
}

}  // namespace hyperscale::runtime

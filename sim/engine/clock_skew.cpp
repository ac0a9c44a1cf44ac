#include "sim/engine/clock_skew.h"

#include "base/check.h"

#include <algorithm>

namespace hyperscale::sim {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

}  // namespace

// Split so that a year of nanoseconds times the rate does not overflow.
std::int64_t HostClock::scaled(Duration elapsed) const {
  const std::int64_t ns = elapsed.count();
  return ns + ns / kMillion * ppm_ + ns % kMillion * ppm_ / kMillion;
}

SimTime HostClock::when(MonoTime due, SimTime now) const {
  if (due == MonoTime::max()) return SimTime::max();
  if (due <= mono(now)) return now;
  const std::int64_t wanted = due.ns() - base_mono_ns_;
  // Close enough to finish with single steps: scaled() rounds off at most two.
  std::int64_t guess =
      wanted / (kMillion + ppm_) * kMillion + wanted % (kMillion + ppm_) * kMillion / (kMillion + ppm_);
  guess = std::max<std::int64_t>(guess - 2, 0);
  while (scaled(Duration(guess)) < wanted) ++guess;
  return std::max(now, base_at_ + Duration(guess));
}

void HostClock::set_rate(SimTime now, std::int32_t ppm) {
  CHECK(ppm > -kMillion && ppm < kMillion, "{} ppm", ppm);
  rebase(now, mono(now));
  ppm_ = ppm;
}

void HostClock::rebase(SimTime now, MonoTime mono) {
  base_at_ = now;
  base_mono_ns_ = mono.ns();
}

}  // namespace hyperscale::sim

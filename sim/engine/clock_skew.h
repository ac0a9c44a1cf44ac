// HostClock: the clocks of one machine. Its monotonic clock runs too fast or too slow by some parts per million; its
// wall clock is off and may jump. Processes cannot read either error.
//
// Single-threaded. The monotonic clock never goes back, also when its rate changes. Integer arithmetic only: the same
// on every machine.
#pragma once

#include "sim/engine/sim_time.h"

#include <cstdint>

namespace hyperscale::sim {

// Maximum rate error of a monotonic clock, on which protocols may rely (docs/fault-model.md).
inline constexpr std::int32_t kClockRatePpmMax = 50'000;
// Wall time at the start of every virtual world: 2024-01-01T00:00:00Z.
inline constexpr std::int64_t kWallEpochNs = 1'704'067'200'000'000'000;

class HostClock {
 public:
  MonoTime mono(SimTime now) const { return MonoTime::from_ns(base_mono_ns_ + scaled(now - base_at_)); }
  WallTime wall(SimTime now) const { return WallTime::from_ns(kWallEpochNs + now.ns() + wall_offset_.count()); }
  // The first true time at which mono() is not before `due`; `now` if that has passed. SimTime::max() for never.
  SimTime when(MonoTime due, SimTime now) const;

  // REQUIRES: |ppm| < 1,000,000.
  void set_rate(SimTime now, std::int32_t ppm);
  void set_wall_offset(Duration offset) { wall_offset_ = offset; }
  void jump_wall(Duration by) { wall_offset_ += by; }
  // A restarted process sees a monotonic clock with another zero.
  void rebase(SimTime now, MonoTime mono);

  std::int32_t rate_ppm() const { return ppm_; }
  Duration wall_offset() const { return wall_offset_; }

 private:
  std::int64_t scaled(Duration elapsed) const;

  SimTime base_at_;
  std::int64_t base_mono_ns_ = 0;
  std::int32_t ppm_ = 0;
  Duration wall_offset_{0};
};

}  // namespace hyperscale::sim

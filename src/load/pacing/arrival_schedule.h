// ArrivalSchedule: the intended starts of the iterations of an open-loop run. Arrival k of the whole plan goes to the
// segment k mod count, so any number of executors together follow the one schedule of the plan.
//
// Single-threaded, sans-IO: times are since the start of the run. Even gaps, or exponential ones that depend on the
// plan's seed only.
#pragma once

#include "base/prng.h"
#include "load/pacing/load_curve.h"
#include "plan/plan.h"
#include "plan/segment.h"

#include <cstdint>
#include <optional>

namespace hyperscale::load {

struct Arrival {
  std::uint64_t number;  // in the whole plan
  Duration at;
  bool operator==(const Arrival&) const = default;
};

class ArrivalSchedule {
 public:
  ArrivalSchedule(const plan::Load& load, const plan::Segment& segment, std::uint64_t seed);

  // The next arrival of the segment; nullopt when the schedule is over.
  const std::optional<Arrival>& next() const { return next_; }
  void advance();
  // Skips the first `count` arrivals of the segment.
  void skip(std::uint64_t count);
  // The next and later arrivals follow `curve`. REQUIRES: up to now it equals the schedule's own curve.
  void follow(const LoadCurve& curve);
  // True after the last arrival of a plan with a bounded count.
  bool exhausted() const { return number_ >= numbers_end_; }

 private:
  double position_of(std::uint64_t number);
  void find(std::uint64_t number);

  LoadCurve curve_;
  plan::Segment segment_;
  bool poisson_;
  std::uint64_t numbers_end_ = UINT64_MAX;
  std::uint64_t number_ = 0;  // of the next arrival, also when it has no time
  Prng random_;
  std::uint64_t drawn_ = 0;  // gaps drawn so far
  double drawn_position_ = 0;
  std::optional<Arrival> next_;
};

}  // namespace hyperscale::load

#include "load/pacing/arrival_schedule.h"

#include <cmath>

namespace hyperscale::load {

ArrivalSchedule::ArrivalSchedule(const plan::Load& load, const plan::Segment& segment, std::uint64_t seed)
    : curve_(load), segment_(segment), poisson_(load.poisson), random_(Prng(seed).stream("arrivals")) {
  if (load.iterations > 0) {
    // Arrivals of the warm-up are added.
    const double before = load.warmup > Duration::zero() ? std::ceil(curve_.total_at(load.warmup)) : 0;
    numbers_end_ = static_cast<std::uint64_t>(before) + load.iterations;
  }
  find(segment.index);
}

double ArrivalSchedule::position_of(std::uint64_t number) {
  if (!poisson_) return static_cast<double>(number);
  // A Poisson process of rate 1, stretched by the curve: correct for ramps too.
  for (; drawn_ <= number; ++drawn_) drawn_position_ += -std::log1p(-random_.unit());
  return drawn_position_;
}

void ArrivalSchedule::find(std::uint64_t number) {
  next_.reset();
  number_ = number;
  if (number >= numbers_end_) return;
  const Duration at = curve_.time_of_total(position_of(number));
  if (at == Duration::max() || at >= curve_.length()) return;
  next_ = Arrival{number, at};
}

void ArrivalSchedule::advance() {
  if (next_) find(number_ + segment_.count);
}

void ArrivalSchedule::follow(const LoadCurve& curve) {
  curve_ = curve;
  find(number_);
}

void ArrivalSchedule::skip(std::uint64_t count) {
  if (count > 0) find(segment_.index + count * segment_.count);
}

}  // namespace hyperscale::load

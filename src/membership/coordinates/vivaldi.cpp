#include "membership/coordinates/vivaldi.h"

#include "base/check.h"

#include <algorithm>
#include <cmath>

namespace hyperscale::membership {
namespace {

constexpr double kSamePlaceMs = 1e-6;

double milliseconds(Duration duration) {
  return static_cast<double>(duration.count()) / 1e6;
}

template <typename Numbers>
double norm(const Numbers& numbers) {
  double squares = 0;
  for (const double number : numbers) squares += number * number;
  return std::sqrt(squares);
}

bool within(double value, double low, double high) {
  return value >= low && value <= high;
}  // false for NaN

}  // namespace

std::string_view name(SampleVerdict verdict) {
  switch (verdict) {
    case SampleVerdict::kAccepted:
      return "accepted";
    case SampleVerdict::kBadRtt:
      return "bad rtt";
    case SampleVerdict::kBadCoordinate:
      return "bad coordinate";
    case SampleVerdict::kImplausible:
      return "implausible";
    case SampleVerdict::kReplayed:
      return "replayed";
    case SampleVerdict::kNoCoordinate:
      return "no coordinate";
  }
  UNREACHABLE("verdict {}", static_cast<int>(verdict));
}

bool is_sound(const wire::Coordinate& coordinate) {
  return within(norm(coordinate.position), 0, kPositionMaxMs) && within(coordinate.height_ms, 0, kHeightMaxMs) &&
         within(coordinate.relative_error, 0, kErrorMax) && within(coordinate.error_ms, 0, kErrorMax);
}

double distance_ms(const wire::Coordinate& a, const wire::Coordinate& b) {
  std::array<double, wire::kCoordinateDimensions> apart;
  for (std::size_t i = 0; i < apart.size(); ++i) apart[i] = double{a.position[i]} - double{b.position[i]};
  return norm(apart) + a.height_ms + b.height_ms;
}

Vivaldi::Vivaldi(const VivaldiConfig& config, Prng prng, CoordinateMutations mutations)
    : config_(config),
      mutations_(mutations),
      prng_(prng),
      height_ms_(config.height_initial_ms),
      relative_error_(config.relative_error_initial),
      error_ms_(config.error_ms_initial),
      typical_miss_ms_(config.error_ms_initial) {}

SampleVerdict Vivaldi::update(const wire::Coordinate& remote, Duration rtt) {
  const SampleVerdict verdict = fit(remote, rtt, config_.unsure_boost);
  if (verdict == SampleVerdict::kAccepted && samples_ < UINT32_MAX) ++samples_;
  return verdict;
}

SampleVerdict Vivaldi::refit(const wire::Coordinate& remote, Duration rtt) {
  return fit(remote, rtt, 0);
}

SampleVerdict Vivaldi::fit(const wire::Coordinate& remote, Duration rtt, double unsure_boost) {
  if (rtt < 0ns || rtt > kRttSampleMax) return SampleVerdict::kBadRtt;
  if (!is_sound(remote) && !mutations_.trust_any_coordinate) return SampleVerdict::kBadCoordinate;
  const double measured = milliseconds(rtt);
  const double whole_miss = measured - distance_ms(coordinate(), remote);
  const bool contradiction = contradicts(remote, rtt);
  const double miss = clip(whole_miss);
  follow_typical_miss(std::abs(whole_miss));
  if (contradiction) return SampleVerdict::kImplausible;

  const double weight = weight_against(remote);
  adjust_confidence(weight, std::abs(miss), measured);
  const double reach = config_.movement_max_ms + measured / 4;
  const double step = std::min(config_.cc * (1 + unsure_boost * relative_error_), config_.step_max);
  const double force = step * weight * miss;
  move(remote, mutations_.trust_any_coordinate ? force : std::clamp(force, -reach, reach));
  pull_to_origin();
  keep_within_limits();
  error_ms_ += config_.error_ms_weight * (std::min(std::abs(miss), config_.error_ms_max) - error_ms_);
  return SampleVerdict::kAccepted;
}

bool Vivaldi::contradicts(const wire::Coordinate& remote, Duration rtt) const {
  if (mutations_.trust_any_coordinate) return false;
  return distance_ms(coordinate(), remote) > milliseconds(rtt) * config_.implausible_ratio + believable_miss_ms();
}

double Vivaldi::believable_miss_ms() const {
  return config_.miss_slack_ms + config_.miss_factor * typical_miss_ms_;
}

// A late packet is not proof of a longer way: what is far beyond the usual counts as the most that is believed.
double Vivaldi::clip(double miss_ms) const {
  if (mutations_.trust_any_coordinate) return miss_ms;
  return std::clamp(miss_ms, -believable_miss_ms(), believable_miss_ms());
}

// The size that about two in three misses stay below. A few wild ones hardly move it, a third of all raises it for
// good: then it is this node that is wrong, and it listens again.
void Vivaldi::follow_typical_miss(double miss_ms) {
  typical_miss_ms_ *= miss_ms > typical_miss_ms_ ? 1.3 : 1 / 1.15;
  typical_miss_ms_ = std::clamp(typical_miss_ms_, config_.typical_miss_min_ms, config_.error_ms_max);
}

wire::Coordinate Vivaldi::coordinate() const {
  wire::Coordinate out;
  for (std::size_t i = 0; i < position_.size(); ++i) out.position[i] = static_cast<float>(position_[i]);
  out.height_ms = static_cast<float>(height_ms_);
  out.relative_error = static_cast<float>(relative_error_);
  out.error_ms = static_cast<float>(error_ms_);
  out.sample_count = samples_;
  return out;
}

// Near 1 when the other is surer than this node, near 0 the other way round.
double Vivaldi::weight_against(const wire::Coordinate& remote) const {
  const double remote_error =
      std::clamp(double{remote.relative_error}, config_.relative_error_min, config_.relative_error_max);
  return relative_error_ / (relative_error_ + remote_error);
}

void Vivaldi::adjust_confidence(double weight, double miss_ms, double measured_ms) {
  const double sample_error = std::min(miss_ms / std::max(measured_ms, config_.noise_ms), config_.relative_error_max);
  const double share = config_.ce * weight;
  relative_error_ = std::clamp(sample_error * share + relative_error_ * (1 - share), config_.relative_error_min,
                               config_.relative_error_max);
}

// Along the line from the other place to this one; the part of it that is height changes the height.
void Vivaldi::move(const wire::Coordinate& remote, double force_ms) {
  Vector direction;
  for (std::size_t i = 0; i < direction.size(); ++i) direction[i] = position_[i] - double{remote.position[i]};
  const double apart = norm(direction);
  if (apart < kSamePlaceMs) {
    direction = random_direction();
    for (std::size_t i = 0; i < direction.size(); ++i) position_[i] += direction[i] * force_ms;
    return;
  }
  const double heights = height_ms_ + double{remote.height_ms};
  const double whole = apart + heights;
  for (std::size_t i = 0; i < direction.size(); ++i) position_[i] += direction[i] / whole * force_ms;
  height_ms_ += heights / whole * force_ms;
}

void Vivaldi::pull_to_origin() {
  const double out = norm(position_);
  if (out < kSamePlaceMs) return;
  const double pull = std::min(out, (out / config_.gravity_ms) * (out / config_.gravity_ms));
  for (double& axis : position_) axis -= axis / out * pull;
}

void Vivaldi::keep_within_limits() {
  const double out = norm(position_);
  if (out > kPositionMaxMs) {
    for (double& axis : position_) axis *= kPositionMaxMs / out;
  }
  height_ms_ = std::clamp(height_ms_, config_.height_min_ms, kHeightMaxMs);
}

Vivaldi::Vector Vivaldi::random_direction() {
  for (;;) {
    Vector direction;
    for (double& axis : direction) axis = 2 * prng_.unit() - 1;
    const double length = norm(direction);
    if (length < 0.1 || length > 1) continue;
    for (double& axis : direction) axis /= length;
    return direction;
  }
}

}  // namespace hyperscale::membership

#include "membership/coordinates/coordinate_system.h"

#include "base/duration_text.h"

#include <cmath>

namespace hyperscale::membership {
namespace {

double milliseconds(Duration duration) {
  return static_cast<double>(duration.count()) / 1e6;
}

}  // namespace

CoordinateConfig CoordinateConfig::scaled_to(Duration probe_interval) {
  CoordinateConfig config;
  config.timeout = AdaptiveTimeoutConfig::scaled_to(probe_interval);
  config.strategies = RoleStrategies::scaled_to(probe_interval);
  return config;
}

CoordinateSystem::CoordinateSystem(const CoordinateConfig& config, Prng prng)
    : config_(config), vivaldi_(config.vivaldi, prng, config.mutations), coordinates_(config.max_peers) {}

SampleVerdict CoordinateSystem::observe(const Sample& sample, MonoTime now) {
  const SampleVerdict verdict = judge(sample, now);
  count(verdict);
  if (began_at_ && converged()) {
    stats_.convergence_time_s.add(seconds(now - *began_at_));
    began_at_.reset();
  }
  return verdict;
}

SampleVerdict CoordinateSystem::judge(const Sample& sample, MonoTime now) {
  if (sample.rtt < 0ns || sample.rtt > kRttSampleMax) return SampleVerdict::kBadRtt;
  const auto known = windows_.find(sample.peer);
  RttWindow window = known == windows_.end() ? RttWindow() : known->second;
  if (!window.add(sample.sequence, sample.rtt)) return SampleVerdict::kReplayed;
  if (known != windows_.end()) {
    known->second = window;
  } else if (windows_.size() < config_.max_peers) {
    windows_.emplace(sample.peer, window);
  }
  if (!sample.remote) return SampleVerdict::kNoCoordinate;
  const wire::Coordinate before = local();
  const SampleVerdict verdict = vivaldi_.update(*sample.remote, window.median());
  if (verdict != SampleVerdict::kAccepted) return verdict;
  stats_.prediction_error_ms.add(std::abs(distance_ms(before, *sample.remote) - milliseconds(window.median())));
  keep(sample.peer, *sample.remote, now);
  fit_again();
  return verdict;
}

bool CoordinateSystem::learn(const wire::NodeAddress& peer, const wire::Coordinate& coordinate, MonoTime now) {
  if (!is_sound(coordinate)) {
    count(SampleVerdict::kBadCoordinate);
    return false;
  }
  const auto measured = measured_rtt(peer);
  if (measured && vivaldi_.contradicts(coordinate, *measured)) {
    count(SampleVerdict::kImplausible);
    return false;
  }
  keep(peer, coordinate, now);
  fit_again();
  return true;
}

// Until coordinates converge all members move, so earlier measurements are applied again with the current coordinates
// of the peers. That costs no probe (AD35-VIV-2).
void CoordinateSystem::fit_again() {
  if (converged() || vivaldi_.samples() >= kFittedAgainSamplesMax) return;
  std::size_t left = kFittedAgainMax;
  auto next = windows_.upper_bound(last_fitted_again_);
  for (std::size_t seen = 0; seen < windows_.size() && left > 0; ++seen, ++next) {
    if (next == windows_.end()) next = windows_.begin();
    last_fitted_again_ = next->first;
    const StoredCoordinate* const there = coordinates_.find(next->first);
    if (there == nullptr) continue;
    vivaldi_.refit(there->coordinate, next->second.median());
    --left;
  }
}

void CoordinateSystem::forget(const wire::NodeAddress& peer) {
  coordinates_.forget(peer);
  windows_.erase(peer);
}

bool CoordinateSystem::converged() const {
  return vivaldi_.samples() >= config_.rtt.min_samples_for_routing &&
         vivaldi_.relative_error() < config_.converged_below;
}

RttEstimate CoordinateSystem::estimate(const wire::NodeAddress& peer, MonoTime now) const {
  const wire::Coordinate here = local();
  return estimate_rtt(&here, coordinates_.find(peer), now, config_.rtt);
}

std::optional<Duration> CoordinateSystem::measured_rtt(const wire::NodeAddress& peer) const {
  const auto known = windows_.find(peer);
  if (known == windows_.end()) return std::nullopt;
  return known->second.median();
}

AdaptiveTimeout CoordinateSystem::timeout_of(const wire::NodeAddress& peer, wire::NodeRole role,
                                             double health_multiplier, MonoTime now) const {
  return adaptive_timeout(estimate(peer, now).ucb_ms, strategy(role).capped_load(health_multiplier),
                          vivaldi_.relative_error(), config_.timeout);
}

std::optional<Duration> CoordinateSystem::suspicion_timeout(const wire::NodeAddress& peer, wire::NodeRole role,
                                                            double health_multiplier, MonoTime now) const {
  if (!strategy(role).latency_aware) return std::nullopt;
  return timeout_of(peer, role, health_multiplier, now).timeout;
}

std::vector<PeerDistance> CoordinateSystem::distances(MonoTime now) const {
  std::vector<PeerDistance> rows;
  for (const auto& peer : coordinates_.peers()) {
    PeerDistance row{.peer = peer, .estimate = estimate(peer, now), .measured_ms = {}, .prediction_error_ms = {}};
    if (const auto window = windows_.find(peer); window != windows_.end()) {
      row.measured_ms = window->second.samples_ms();
      row.prediction_error_ms = std::abs(row.estimate.rtt_ms - milliseconds(window->second.median()));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

CoordinateStats CoordinateSystem::stats() const {
  CoordinateStats stats = stats_;
  stats.peers_forgotten = coordinates_.forgotten();
  return stats;
}

void CoordinateSystem::keep(const wire::NodeAddress& peer, const wire::Coordinate& coordinate, MonoTime now) {
  if (const auto forgotten = coordinates_.store(peer, coordinate, now)) windows_.erase(*forgotten);
}

void CoordinateSystem::count(SampleVerdict verdict) {
  switch (verdict) {
    case SampleVerdict::kAccepted:
      ++stats_.updates;
      return;
    case SampleVerdict::kBadRtt:
      ++stats_.refused_rtt;
      return;
    case SampleVerdict::kBadCoordinate:
      ++stats_.refused_coordinate;
      return;
    case SampleVerdict::kImplausible:
      ++stats_.refused_implausible;
      return;
    case SampleVerdict::kReplayed:
      ++stats_.refused_replayed;
      return;
    case SampleVerdict::kNoCoordinate:
      return;
  }
}

}  // namespace hyperscale::membership

#include "membership/coordinates/rtt_estimate.h"

#include "base/duration_text.h"
#include "membership/coordinates/vivaldi.h"

#include <algorithm>

namespace hyperscale::membership {
double coordinate_quality(const StoredCoordinate* coordinate, MonoTime now, const RttConfig& config) {
  if (coordinate == nullptr || coordinate->coordinate.sample_count == 0) return 0;
  const double staleness_s = seconds(now - coordinate->updated_at);
  const double ttl_s = seconds(config.coordinate_ttl);
  const double sample_q =
      std::min(1.0, static_cast<double>(coordinate->coordinate.sample_count) / config.min_samples_for_routing);
  const double error_q = std::min(1.0, config.error_good_ms / std::max(double{coordinate->coordinate.error_ms}, 1.0));
  const double stale_q = staleness_s <= ttl_s ? 1.0 : ttl_s / staleness_s;
  return std::clamp(sample_q * error_q * stale_q, 0.0, 1.0);
}

RttEstimate estimate_rtt(const wire::Coordinate* local, const StoredCoordinate* remote, MonoTime now,
                         const RttConfig& config) {
  RttEstimate estimate;
  estimate.known =
      local != nullptr && local->sample_count > 0 && remote != nullptr && remote->coordinate.sample_count > 0;
  estimate.quality = estimate.known ? coordinate_quality(remote, now, config) : 0;
  estimate.rtt_ms = estimate.known ? distance_ms(*local, remote->coordinate) : config.rtt_default_ms;
  estimate.sigma_ms = estimate.known ? std::clamp(double{local->error_ms} + double{remote->coordinate.error_ms},
                                                  config.sigma_min_ms, config.sigma_max_ms)
                                     : config.sigma_default_ms;
  estimate.ucb_ms =
      std::clamp(estimate.rtt_ms + config.k_sigma * estimate.sigma_ms, config.rtt_min_ms, config.rtt_max_ms);
  if (!estimate.known) return estimate;
  estimate.samples = std::min(local->sample_count, remote->coordinate.sample_count);
  estimate.error_ms = std::max(double{local->error_ms}, double{remote->coordinate.error_ms});
  estimate.staleness = now - remote->updated_at;
  return estimate;
}

}  // namespace hyperscale::membership

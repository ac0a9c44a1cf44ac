// CoordinateSystem: all distances that a node knows: its own coordinate, its peers' coordinates, and the timeouts and
// estimates derived from them (AD-35). One per node; failure detection and routing use the same one.
//
//   coordinates.observe({.peer = p, .sequence = probe, .remote = ack.coordinate, .rtt = measured}, now);   // on an ack
//   coordinates.learn(p, message.coordinate, now);                                                        // on a probe
//   detector.suspect_global({.node = p, ..., .timeout = coordinates.suspicion_timeout(p, role, lhm, now)}, now);
//
// Thread rule: one owner. Bounded by kCoordinatePeersMax. Failure: a sample or coordinate that cannot be true is
// refused, counted, and neither moves this node nor is stored.
#pragma once

#include "base/prng.h"
#include "base/time.h"
#include "membership/coordinates/adaptive_timeout.h"
#include "membership/coordinates/bucket_counts.h"
#include "membership/coordinates/peer_coordinates.h"
#include "membership/coordinates/role_strategy.h"
#include "membership/coordinates/rtt_estimate.h"
#include "membership/coordinates/rtt_window.h"
#include "membership/coordinates/vivaldi.h"
#include "wire/cluster_message.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace hyperscale::membership {

struct CoordinateConfig {
  VivaldiConfig vivaldi;
  RttConfig rtt;
  AdaptiveTimeoutConfig timeout;
  RoleStrategies strategies = RoleStrategies::scaled_to(1s);
  std::size_t max_peers = kCoordinatePeersMax;
  double converged_below = 0.2;  // relative error (AD35-VIV-6)
  CoordinateMutations mutations;

  static CoordinateConfig scaled_to(Duration probe_interval);
};

struct CoordinateStats {
  std::uint64_t updates = 0;
  std::uint64_t refused_rtt = 0;
  std::uint64_t refused_coordinate = 0;
  std::uint64_t refused_implausible = 0;
  std::uint64_t refused_replayed = 0;
  std::uint64_t peers_forgotten = 0;
  BucketCounts<kMillisecondBounds> prediction_error_ms;  // of accepted samples, before they were learnt from
  BucketCounts<kSecondBounds> convergence_time_s;        // since begin(), once
};

// One row of /debug/vivaldi/peers.
struct PeerDistance {
  wire::NodeAddress peer;
  RttEstimate estimate;
  std::vector<double> measured_ms;            // the last samples, oldest first; empty when never measured
  std::optional<double> prediction_error_ms;  // |estimate - median of them|
};

class CoordinateSystem {
 public:
  struct Sample {
    wire::NodeAddress peer;
    std::uint64_t sequence = 0;  // of this node's probe: grows with each
    std::optional<wire::Coordinate> remote;
    Duration rtt = {};
  };

  CoordinateSystem(const CoordinateConfig& config, Prng prng);

  void begin(MonoTime now) { began_at_ = now; }  // what convergence is timed from
  SampleVerdict observe(const Sample& sample, MonoTime now);
  // A coordinate received without a measurement. False if it was refused.
  bool learn(const wire::NodeAddress& peer, const wire::Coordinate& coordinate, MonoTime now);
  void forget(const wire::NodeAddress& peer);

  wire::Coordinate local() const { return vivaldi_.coordinate(); }
  bool converged() const;
  RttEstimate estimate(const wire::NodeAddress& peer, MonoTime now) const;
  // From the last direct measurements; none without any.
  std::optional<Duration> measured_rtt(const wire::NodeAddress& peer) const;

  AdaptiveTimeout timeout_of(const wire::NodeAddress& peer, wire::NodeRole role, double health_multiplier,
                             MonoTime now) const;
  // For Accusation::timeout: none where the peer's role is not latency aware (workers).
  std::optional<Duration> suspicion_timeout(const wire::NodeAddress& peer, wire::NodeRole role,
                                            double health_multiplier, MonoTime now) const;
  const RoleStrategy& strategy(wire::NodeRole role) const { return config_.strategies.of(role); }

  std::vector<PeerDistance> distances(MonoTime now) const;  // ordered by address
  std::size_t peers() const { return coordinates_.size(); }
  CoordinateStats stats() const;

 private:
  SampleVerdict judge(const Sample& sample, MonoTime now);
  void fit_again();
  void keep(const wire::NodeAddress& peer, const wire::Coordinate& coordinate, MonoTime now);
  void count(SampleVerdict verdict);

  CoordinateConfig config_;
  Vivaldi vivaldi_;
  PeerCoordinates coordinates_;
  std::map<wire::NodeAddress, RttWindow> windows_;  // at most as many as max_peers
  CoordinateStats stats_;
  wire::NodeAddress last_fitted_again_;
  std::optional<MonoTime> began_at_;  // none once it has converged
};

}  // namespace hyperscale::membership

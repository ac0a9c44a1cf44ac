// Counters of membership. Comments give the metric name where the catalogue defines one (AD35-OBS-1, AD31-4). Counters
// only grow; gauges are current values.
//
// Plain values; any thread may use them.
#pragma once

#include "membership/coordinates/bucket_counts.h"
#include "wire/node_identity.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace hyperscale::membership {

// One value for each role of a peer: metrics that end in _gate, _manager, _worker or carry {role}.
template <typename Value>
struct ForEachRole {
  std::array<Value, 3> of = {};

  Value& operator[](wire::NodeRole role) { return of[static_cast<std::size_t>(role) - 1]; }
  const Value& operator[](wire::NodeRole role) const { return of[static_cast<std::size_t>(role) - 1]; }
};

struct PerRole : ForEachRole<std::uint64_t> {
  std::uint64_t total() const { return of[0] + of[1] + of[2]; }
};

// Components of adaptive timeouts when they were applied to a suspicion (AD-35 part A.4).
struct TimeoutCounts {
  ForEachRole<BucketCounts<kSecondBounds>> applied_s;  // adaptive_timeout_seconds{role}; sum: adaptive_timeout_applied
  BucketCounts<kFactorBounds> latency_multiplier;
  BucketCounts<kFactorBounds> load_multiplier;
  BucketCounts<kFactorBounds> confidence_adjustment;
};

struct Counters {
  std::uint64_t probes_sent = 0;
  std::uint64_t probes_acked = 0;
  std::uint64_t probes_failed = 0;    // neither a direct nor an indirect ack
  std::uint64_t indirect_probes = 0;  // cycles that had to ask proxies
  std::uint64_t indirect_acks = 0;    // cycles that ended with an indirect ack
  std::uint64_t nacks_received = 0;
  std::uint64_t refusals = 0;               // the host of a present peer answered "port unreachable"
  std::uint64_t probes_refused = 0;         // probes_failed of which this was the reason
  std::uint64_t proxied_probes = 0;         // requested by other nodes
  std::uint64_t proxied_refused = 0;        // because kProxiedProbesMax were pending
  std::uint64_t second_opinions = 0;        // extra probes because of a gossiped suspicion
  std::uint64_t suspicions_started = 0;     // suspicions_started{reason="timeout"}: by an own probe
  std::uint64_t suspicions_of_refused = 0;  // suspicions_started{reason="refused"}
  std::uint64_t suspicions_heard = 0;
  std::uint64_t suspicions_refused = 0;      // of peers: the detector was full
  std::uint64_t job_suspicions_refused = 0;  // of peers for a job
  std::uint64_t suspicions_refuted = 0;
  std::uint64_t refutations = 0;  // of suspicions and deaths of this node
  std::uint64_t deaths_detected = 0;
  std::uint64_t deaths_gossiped = 0;  // gossip_informed_deaths
  std::uint64_t deaths_doubted = 0;   // gossiped for a member that was not suspected: suspected first
  std::uint64_t departures = 0;       // peers that left
  std::uint64_t recoveries = 0;       // back from dead or left
  std::uint64_t reaped = 0;
  std::uint64_t stale_updates = 0;      // refused for their incarnation
  std::uint64_t unrelated_updates = 0;  // about members that this node does not watch
  std::uint64_t unrelated_senders = 0;
  std::uint64_t misdirected_probes = 0;  // addressed to another node
  std::uint64_t confirmations = 0;       // transitions_unconfirmed_to_alive
  std::uint64_t warned_unconfirmed = 0;  // AD29-6
  PerRole confirmation_attempts;  // peer_confirmation_attempts_total{role}; their sum: confirmation_attempts_total
  std::uint64_t confirmation_successes = 0;  // confirmation_attempts_success
  PerRole unconfirmed_removed;             // unconfirmed_peers_removed_<role>; sum: transitions_unconfirmed_to_removed
  PerRole unconfirmed_removed_by_timeout;  // unconfirmed_cleanup_total{role, reason="timeout"}
  PerRole unconfirmed_removed_by_gossip;   // {reason="gone"}: gossiped as dead or left before it was confirmed
  std::uint64_t members_refused = 0;       // the table or its unconfirmed part was full
  std::uint64_t gossip_updates_sent = 0;
  std::uint64_t gossip_bytes_sent = 0;
  std::uint64_t gossip_dropped = 0;   // evicted from a full buffer
  std::uint64_t states_left_out = 0;  // embedded state that did not fit
  std::uint64_t sync_requests_sent = 0;
  std::uint64_t sync_requests_answered = 0;
  std::uint64_t sync_requests_equal = 0;  // digests agreed: nothing sent
  std::uint64_t sync_requests_refused = 0;
  std::uint64_t sync_pages_sent = 0;
  std::uint64_t introductions_sent = 0;
  std::uint64_t joins_sent = 0;
  std::uint64_t tombstones_dropped = 0;
  std::uint64_t coordinate_updates = 0;                  // vivaldi_coordinate_updates
  std::uint64_t coordinates_refused = 0;                 // implausible
  BucketCounts<kMillisecondBounds> prediction_error_ms;  // vivaldi_prediction_error: |predicted - measured|
  BucketCounts<kSecondBounds> convergence_time_s;        // vivaldi_convergence_time: from start to converged, once
  TimeoutCounts timeouts;

  // Gauges: peers_unconfirmed, peers_alive, peers_suspect, peers_dead, and peers that left and are not yet reaped.
  std::uint32_t peers_unconfirmed = 0;
  std::uint32_t peers_alive = 0;
  std::uint32_t peers_suspect = 0;
  std::uint32_t peers_dead = 0;
  std::uint32_t peers_left = 0;
  std::uint32_t gossip_queued = 0;
};

}  // namespace hyperscale::membership

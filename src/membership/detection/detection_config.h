// Configuration of the failure detector: timeouts per role, the wheel, polling, limits. Defaults are the catalogue's
// for wide networks; scaled_to() scales them to another probe interval, such as a LAN profile.
//
// Plain values; any thread may read them.
#pragma once

#include "base/time.h"
#include "wire/bug_switch.h"
#include "wire/node_identity.h"

#include <cstddef>

namespace hyperscale::membership {

// A suspicion lasts `max` without confirmations and falls to `min` with them.
struct SuspicionTimeouts {
  Duration min = {};
  Duration max = {};

  bool operator==(const SuspicionTimeouts&) const = default;
};

// Both layers of AD-30 for one kind of peer.
struct PeerTimeouts {
  SuspicionTimeouts global;
  SuspicionTimeouts job;

  bool operator==(const PeerTimeouts&) const = default;
};

// Managers watch workers and gates watch managers with timeouts of their own; every other pair has the default.
PeerTimeouts timeouts_for(wire::NodeRole observer, wire::NodeRole peer);

struct WheelConfig {
  Duration fine_tick = 100ms;
  std::size_t fine_buckets = 10;    // at most 64
  std::size_t coarse_buckets = 64;  // at most 64; each is one turn of the fine ring
  std::size_t max_entries = 10'000;

  Duration coarse_tick() const { return fine_tick * static_cast<Duration::rep>(fine_buckets); }
};

// How often a job suspicion is polled, by its remaining time; each interval is multiplied by the local health.
struct PollConfig {
  Duration far_interval = 1'000ms;  // more than `near` left
  Duration near_interval = 250ms;
  Duration close_interval = 50ms;  // less than `close` left
  Duration near = 5s;
  Duration close = 1s;
};

struct DetectionLimits {
  std::size_t max_suspicions_per_job = 1'000;
  std::size_t max_total_suspicions = 50'000;
  std::size_t max_jobs = 10'000;        // with a member count of their own
  std::size_t max_dead_nodes = 10'000;  // the longest dead is evicted first
};

// Planted bugs for the simulator's own test; nothing else sets them.
struct DetectionMutations {
  wire::BugSwitch confirmations_postpone = {};
  wire::BugSwitch wheel_clamps_long_deadlines = {};
  wire::BugSwitch refute_without_higher_incarnation = {};
  wire::BugSwitch count_repeated_confirmers = {};
  wire::BugSwitch global_death_keeps_jobs = {};
  wire::BugSwitch ignore_local_health = {};
};

struct DetectionConfig {
  // By the role of the watched peer; the defaults are those of a manager.
  PeerTimeouts gates = timeouts_for(wire::NodeRole::kManager, wire::NodeRole::kGate);
  PeerTimeouts managers = timeouts_for(wire::NodeRole::kManager, wire::NodeRole::kManager);
  PeerTimeouts workers = timeouts_for(wire::NodeRole::kManager, wire::NodeRole::kWorker);

  // SWIM-4: unconfirmed suspicions last suspicion_k * ln(members), between min and max of the peer's role, times the
  // local health multiplier. Another base of the logarithm is another k.
  Duration suspicion_k = 10s;
  // How many independent confirmations bring a suspicion down to `min`; fewer when fewer members could confirm.
  std::size_t confirmations_wanted = 3;
  // The highest timeout derived from a peer's coordinates (AD-35).
  Duration adaptive_timeout_max = 300s;

  WheelConfig wheel;
  PollConfig poll;
  Duration reconcile_interval = 5s;
  Duration dead_kept = 900s;  // not scaled: retention of a death, not detection time
  DetectionLimits limits;
  DetectionMutations mutations;

  const PeerTimeouts& timeouts(wire::NodeRole peer) const;

  // Everything in the proportions of the defaults, which belong to a probe interval of one second.
  // REQUIRES: probe_interval >= 10ms.
  static DetectionConfig scaled_to(Duration probe_interval, wire::NodeRole observer);
};

}  // namespace hyperscale::membership

// Configuration of one node in the election of its group: identity, group size, timings.
//
// Plain values. All durations scale with the probe interval of the membership protocol.
#pragma once

#include "base/time.h"
#include "wire/bug_switch.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::election {

inline constexpr std::size_t kGroupSizeMax = 64;

struct Timing {
  Duration heartbeat_interval = 1s;
  // How long the leader may act after it sent a heartbeat that a majority acknowledged.
  Duration lease = 4s;
  Duration pre_vote_timeout = 1s;
  Duration vote_timeout = 1500ms;
  Duration resend_interval = 400ms;  // of unanswered requests
  // Delay of a candidate per point of its health score. Within this slot the priority counts a half, chance a quarter,
  // and a quarter is left for the network: a node with a priority always precedes one without.
  Duration rank_slot = 500ms;
  Duration retry_min = 1s;  // after an attempt that failed, plus the delay by rank
  Duration retry_max = 2s;
  Duration flapping_window = 60s;
  Duration flapping_cooldown = 30s;

  static Timing scaled_to(Duration probe_interval);
};

// Planted bugs: each breaks one rule, so that tests can show that they detect it. Only tests of the simulator and of
// this folder set them.
struct Mutations {
  wire::BugSwitch skip_pre_vote = {};
  wire::BugSwitch quorum_from_live = {};
  wire::BugSwitch vote_twice = {};
  wire::BugSwitch forget_vote_on_restart = {};
  wire::BugSwitch lead_without_lease = {};
  wire::BugSwitch ignore_higher_term = {};
  wire::BugSwitch count_vote_twice = {};
  wire::BugSwitch reuse_term = {};
};

struct ElectionConfig {
  wire::NodeIdentity self;
  std::size_t group_size = 1;  // configured voters with this one, never the number discovered (AD3-1)
  // Names of all voters, this one among them. Empty: the first group_size names seen, which is safe only as long as no
  // more than group_size names ever run (voters.h).
  std::vector<std::string> voters;
  std::uint32_t priority = 0;   // higher is preferred among equally healthy ones
  double max_leader_lhm = 4.0;  // a node with a worse health score cannot become or stay leader (LEAD-1)
  std::size_t flapping_changes_max = 4;
  Timing timing;
  std::uint64_t seed = 0;
  Mutations mutations;
};

// Upper bound of the time from "a majority is connected and stays connected" to "a leader has a lease", for checkers
// and alarms. Message delay must be small against the probe interval.
Duration election_time_max(const Timing& timing);

}  // namespace hyperscale::election

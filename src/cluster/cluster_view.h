// ClusterView: the cluster as one node sees it at one instant, as plain values for status pages, metrics and the
// checkers of the simulator.
#pragma once

#include "base/time.h"
#include "cluster/degradation.h"
#include "membership/counters.h"
#include "membership/member_state.h"
#include "wire/cluster_message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::cluster {

using membership::MemberState;

enum class LeadershipState : std::uint8_t { kInitial, kFollower, kPreCandidate, kCandidate, kLeader, kNonVoter };
std::string_view name(LeadershipState state);

struct MemberView {
  wire::NodeIdentity identity;
  MemberState state = MemberState::kUnconfirmed;
  wire::Incarnation incarnation;
  Duration in_state_for = {};
  std::optional<double> rtt_ms;  // raw estimate by coordinates; none without them
  double rtt_ucb_ms = 0;         // the bounded one that timeouts use (AD35-RTT-2)
  double coordinate_quality = 0;
  std::optional<double> measured_rtt_ms;  // the last answered probe
  Duration suspicion_timeout = {};        // length of a suspicion that starts now
  // Of an unconfirmed peer only.
  Duration passive_timeout_remaining = {};
  std::uint32_t confirmation_attempts = 0;
  std::optional<Duration> next_attempt_in;
};

// The primary manager of a worker or a gate in a datacenter, and the leader there.
struct PrimaryView {
  std::string datacenter;
  std::optional<wire::NodeIdentity> primary = std::nullopt;
  std::optional<wire::NodeIdentity> leader = std::nullopt;  // from heartbeats
  wire::Term term = {};                                     // the highest one seen of a leader
  bool coordinate_unaware = false;                          // chosen without distances: none are known well enough
};

// Counters only grow; gauges are current values.
struct ClusterStats {
  std::uint64_t datagrams_in = 0;
  std::uint64_t datagrams_out = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t refused_unsealed = 0;   // unknown key: another cluster, environment or secret
  std::uint64_t refused_forged = 0;     // modified, or bound to another receiver
  std::uint64_t refused_malformed = 0;  // not a packet, or opened and not a message
  std::uint64_t refused_replayed = 0;
  std::uint64_t refused_stale = 0;
  std::uint64_t refused_rate = 0;       // a member above its rate
  std::uint64_t refused_opening = 0;    // our key id, above the limit of deciphering
  std::uint64_t refused_role = 0;       // sealed with a key that its sender's role does not have
  std::uint64_t refused_foreign = 0;    // another major version
  std::uint64_t dropped_unstamped = 0;  // not sent: the clock is outside the range of ids
  std::uint64_t updates_cut = 0;        // gossip that did not fit its packet
  std::uint64_t states_stale = 0;       // embedded state that was not new
  std::uint64_t elections_started = 0;
  std::uint64_t elections_won = 0;
  std::uint64_t step_downs = 0;
  std::uint32_t health_score = 0;
  Degradation degradation = Degradation::kNormal;
  std::uint32_t states_known = 0;  // peers whose state's version is stored
  membership::Counters membership;
};

struct ClusterView {
  wire::NodeIdentity self;
  wire::Incarnation incarnation;
  LeadershipState leadership = LeadershipState::kInitial;
  wire::Term term;
  wire::Term latest_term;                    // later ones are refused
  std::optional<wire::NodeIdentity> leader;  // of its group; of a worker: of the managers of its datacenter
  bool quorum_available = false;
  std::optional<wire::Coordinate> coordinate;
  std::vector<PrimaryView> primaries;  // of a worker or a gate: a row for each datacenter that it works with
  std::vector<MemberView> members;     // ordered by address; without self
  ClusterStats stats;
};

}  // namespace hyperscale::cluster

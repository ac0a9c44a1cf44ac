// PeerChoice: selects one of several peers (AD-35 part A.2, with the buckets, hold-down and cooldown of AD-36). Health
// comes first: only the best non-empty bucket is considered, and an unhealthy peer is never chosen. Within the bucket
// peers are ranked by the bounded round trip; without good coordinates (coordinate-unaware mode) by free cores and
// queue. A choice changes only when the hold-down has passed and the gain is large enough, or the peer is down,
// degraded, or has failed.
//
//   PeerChoice choice({}, self.name);
//   if (const auto why = choice.choose(candidates, health_multiplier, now)) log(choice.current(), *why);
//   choice.failed(address, now);   // a request to it failed: ranked lower for a while
//
// Thread rule: one owner. Equal calls give equal choices; choosers of different names spread over equal peers.
// Bounded: kCoolingPeersMax failures are kept, the oldest is evicted first. Failure: without candidates there is no
// choice; a peer without coordinates is ranked by defaults and never excluded (AD35-RTT-4).
#pragma once

#include "base/time.h"
#include "cluster/choice_reason.h"
#include "membership/coordinates/rtt_estimate.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::cluster {

inline constexpr std::size_t kCoolingPeersMax = 256;

// In falling order of preference.
enum class HealthBucket : std::uint8_t { kHealthy, kBusy, kDegraded, kUnhealthy };
std::string_view name(HealthBucket bucket);

// Defaults are those of the catalogue for a probe interval of one second.
struct ChoiceConfig {
  wire::NodeRole role = wire::NodeRole::kManager;  // other roles are not candidates
  double min_samples_for_routing = 10;             // coordinates with fewer are not used
  double error_max_for_routing_ms = 100;
  double quality_weight = 0.5;
  double quality_penalty_max = 2;
  // An older heartbeat counts as kDegraded: this or so many heartbeat periods, whichever is longer, times the local
  // health.
  Duration heartbeat_ttl = 60s;
  std::int64_t heartbeats_missed_max = 3;
  Duration hold_down = 30s;
  double improvement_ratio = 0.2;
  double improvement_min_ms = 2;  // and at least this much, and more than the estimates may be wrong: the rest is noise
  double degrade_ratio = 1.5;     // so much worse than when it was chosen ...
  Duration degrade_confirm = 60s;  // ... for so long, times the local health, and another is taken if it is any better
  Duration cooldown = 120s;
  double cooldown_penalty = 2;

  // REQUIRES: probe_interval > 0.
  static ChoiceConfig scaled_to(Duration probe_interval);
};

struct PeerCandidate {
  wire::NodeIdentity identity;
  HealthBucket bucket = HealthBucket::kDegraded;  // by its last heartbeat; kDegraded without one
  Duration heartbeat_age = {};
  Duration heartbeat_period = {};    // how often one is to be expected: longer the larger the cluster
  bool probes_fail = false;          // under suspicion: at best kDegraded
  membership::RttEstimate rtt = {};  // by the same coordinates that failure detection uses
  std::uint32_t available_cores = 0;
  std::uint32_t queue_depth = 0;
};

class PeerChoice {
 public:
  PeerChoice(const ChoiceConfig& config, std::string_view chooser);

  // Why the choice has changed; none when it has not. Each address is at most once among the candidates.
  // `health_multiplier` is this node's own: a slow node receives everything late and must not blame others.
  std::optional<ChoiceReason> choose(std::span<const PeerCandidate> candidates, double health_multiplier, MonoTime now);
  void failed(const wire::NodeAddress& peer, MonoTime now);

  const std::optional<wire::NodeIdentity>& current() const { return current_; }
  bool coordinate_unaware() const { return unaware_; }  // at the last choice
  std::uint64_t hold_down_blocks() const { return hold_down_blocks_; }

 private:
  struct Ranked {
    const PeerCandidate* peer = nullptr;
    HealthBucket bucket = HealthBucket::kUnhealthy;
    double score = 0;  // lower is better
    bool cooling = false;
    std::uint64_t spread = 0;
  };

  std::vector<Ranked> admitted(std::span<const PeerCandidate> candidates, double health_multiplier, MonoTime now) const;
  HealthBucket bucket_of(const PeerCandidate& peer, double health_multiplier) const;
  bool is_placed(const PeerCandidate& peer) const;
  double score_of(const PeerCandidate& peer, bool cooling) const;
  bool better(const Ranked& a, const Ranked& b) const;
  std::optional<ChoiceReason> reason_to_leave(const Ranked& current, const Ranked& best, double health_multiplier,
                                              MonoTime now);
  bool is_much_worse(const Ranked& current, double health_multiplier, MonoTime now);
  std::optional<ChoiceReason> take(const Ranked& peer, ChoiceReason reason, MonoTime now);
  std::optional<ChoiceReason> take_nobody();

  ChoiceConfig config_;
  std::string chooser_;
  std::optional<wire::NodeIdentity> current_;
  MonoTime chosen_at_;
  double chosen_score_ = 0;
  bool current_failed_ = false;
  bool unaware_ = true;
  std::optional<MonoTime> much_worse_since_;
  std::map<wire::NodeAddress, MonoTime> cooling_until_;
  std::uint64_t hold_down_blocks_ = 0;
};

}  // namespace hyperscale::cluster

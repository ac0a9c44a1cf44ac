// Membership: the members of the cluster and their states, as one node sees them. SWIM with direct and indirect probes,
// suspicion, refutation and gossip (SWIM-*), Lifeguard's local health, peers that must be confirmed before they can
// fail (AD-29, AD-35), deaths reported exactly once (AD-31), embedded state (SWIM-EMBED-*), graceful leave.
//
// Thread rule: one thread at a time. Follows base/core.h; after each step() the owner schedules a Tick at next_wake(),
// which the step may have changed. Messages are wire::ClusterMessage values; the owner seals and sends them. The owner
// passes every message of the cluster as Received, those of an election too: each is a sign of life and carries gossip;
// bodies of other protocols are ignored otherwise.
//
// Invariants: MemberDown comes exactly once for each passage of a confirmed member into dead or left, by probe or
// gossip; MemberUp comes before it; an unconfirmed peer is never suspected or declared dead. This node's incarnation
// never decreases and IncarnationChanged comes before the first message that carries the new one. A bad or stale
// message is counted and changes nothing. Memory is bounded by Config.
#pragma once

#include "base/bytes.h"
#include "base/core.h"
#include "base/time.h"
#include "membership/audit_log.h"
#include "membership/config.h"
#include "membership/counters.h"
#include "membership/member_state.h"
#include "wire/cluster_message.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hyperscale::membership {

// One peer, for status pages and checkers.
struct MemberSnapshot {
  wire::NodeIdentity identity;  // without a name while only its address is known
  MemberState state = MemberState::kUnconfirmed;
  wire::Incarnation incarnation;
  Duration in_state_for = {};
  std::optional<double> rtt_ms;  // by coordinates; none without them
  double rtt_ucb_ms = 0;
  double coordinate_quality = 0;
  RttEstimate rtt = {};                   // with all parts, for the choice between peers
  std::optional<double> measured_rtt_ms;  // the last answered probe
  Duration suspicion_timeout = {};        // length of a suspicion that starts now, without confirmations
  // Of an unconfirmed peer only.
  Duration passive_timeout_remaining = {};
  std::uint32_t confirmation_attempts = 0;
  std::optional<Duration> next_attempt_in;
};

class Membership {
 public:
  // Events.
  struct Start {};
  struct Received {
    wire::ClusterMessage message;
    wire::NodeAddress from;  // as the socket saw it
  };
  // The host of a peer answered ICMP port unreachable. This can be forged.
  struct Refused {
    wire::NodeAddress peer;
  };
  struct Tick {};
  struct LoopLag {  // how late the owner's own timer came, against its period
    Duration late;
    Duration period;
  };
  struct Leave {};
  using Event = std::variant<Start, Received, Refused, Tick, LoopLag, Leave>;

  // Actions.
  struct Send {
    wire::NodeAddress to;
    wire::ClusterMessage message;
  };
  struct MemberUp {  // confirmed for the first time, or back from the dead
    wire::NodeIdentity member;
    bool recovered = false;
  };
  struct MemberDown {
    wire::NodeIdentity member;
    wire::Incarnation incarnation;
    bool heard_by_gossip = false;
    bool left = false;
  };
  struct StateReceived {  // the owner checks whether it is newer than the last one
    wire::NodeIdentity from;
    SharedBytes state;
  };
  struct JobNodeDown {  // the node no longer answers for this job, though it may be alive (AD30-INT-4)
    std::string job;
    wire::NodeIdentity member;
    wire::Incarnation incarnation;
  };
  struct IncarnationChanged {  // to be made durable before the actions after it
    wire::Incarnation incarnation;
  };
  struct Note {  // a line for the log
    bool warning = false;
    std::string text;
  };
  struct Left {};
  using Action = std::variant<Send, MemberUp, MemberDown, StateReceived, JobNodeDown, IncarnationChanged, Note, Left>;

  // `last_incarnation` is the one made durable before; Start takes the next. Randomness follows from `seed` alone.
  Membership(Config config, wire::NodeIdentity self, wire::Incarnation last_incarnation, std::uint64_t seed);
  ~Membership();
  Membership(Membership&&) noexcept;
  Membership& operator=(Membership&&) noexcept;

  Actions<Action> step(const Event& event, MonoTime now);
  MonoTime next_wake() const;

  // State of this node that its messages carry from now on (AD1-2); empty for none.
  void embed_state(SharedBytes state);
  // A message to `to` with this node's identity, incarnation, coordinate, state and gossip: for messages of other
  // protocols.
  wire::ClusterMessage envelope(wire::ClusterBody body, const wire::NodeAddress& to, MonoTime now);

  const wire::NodeIdentity& self() const;
  wire::Incarnation incarnation() const;
  bool left() const;
  std::uint32_t health_score() const;  // 0 is healthy, 8 is worst (SWIM-LHM-1)
  double health_multiplier() const;
  std::optional<wire::Coordinate> coordinate() const;
  Counters counters() const;
  const AuditLog& audit() const;

  std::size_t present_count() const;  // alive or suspect peers
  // From the member itself or from gossip; nothing if only the address is known.
  std::optional<wire::NodeRole> role_at(const wire::NodeAddress& address) const;
  std::optional<MemberState> state_of(const wire::NodeAddress& address) const;
  std::optional<MemberSnapshot> member(const wire::NodeAddress& address, MonoTime now) const;
  std::vector<MemberSnapshot> members(MonoTime now) const;  // ordered by address; without this node

  // The job layer (AD-30): liveness of a node for one job. `from` is the accuser. Deaths come as JobNodeDown at a Tick.
  bool suspect_job(std::string_view job, const wire::NodeAddress& node, const wire::NodeAddress& from, MonoTime now);
  bool confirm_job(std::string_view job, const wire::NodeAddress& node, const wire::NodeAddress& from, MonoTime now);
  bool refute_job(std::string_view job, const wire::NodeAddress& node, wire::Incarnation incarnation, MonoTime now);
  // The node answered for this job: clears its suspicion or death in this job.
  bool answered_job(std::string_view job, const wire::NodeAddress& node);
  std::size_t clear_job(std::string_view job);
  bool is_alive_for_job(std::string_view job, const wire::NodeAddress& node) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

std::string to_string(const Membership::Action& action);

}  // namespace hyperscale::membership

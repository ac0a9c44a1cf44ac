// ClusterNode: one node of a cluster as a core. It joins membership, election and the sealed wire: datagrams in and out
// as bytes, all decisions in between. The node process feeds it from a socket, the simulator from a virtual network;
// both run the same object files.
//
// Thread rule: one thread at a time. Follows base/core.h: actions are executed in order; a Persist must be durable
// before the actions after it, otherwise the adapter stops the node. After every step() the adapter schedules a Tick at
// next_wake(). Datagrams that do not open, are replayed, exceed the rate or belong to another cluster are only counted
// in stats().
#pragma once

#include "base/bytes.h"
#include "base/core.h"
#include "cluster/choice_reason.h"
#include "cluster/cluster_config.h"
#include "cluster/cluster_view.h"
#include "membership/audit_log.h"
#include "wire/cluster_message.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hyperscale::cluster {

// State that must survive a restart: without it a node could vote twice in one term, or accept a replay.
struct DurableState {
  wire::Incarnation incarnation;
  wire::Term term;
  std::string voted_for;  // name of the node that got this term's vote; empty when none did
  // Messages made up to then may have been accepted: the next process must refuse them.
  WallTime heard_until = {};

  bool operator==(const DurableState&) const = default;
};

class ClusterNode {
 public:
  // Events.
  struct Start {
    WallTime wall;
  };
  struct DatagramIn {
    wire::NodeAddress from;
    SharedBytes bytes;
    WallTime wall;
  };
  struct Refused {  // the host of this address answered port unreachable; may be forged
    wire::NodeAddress peer;
    WallTime wall;
  };
  struct Tick {
    WallTime wall;
  };
  struct LoopLag {  // how late the adapter's own timer came, against its period
    Duration late;
    Duration period;
  };
  struct EmbedState {  // state of this node for its next messages
    SharedBytes state;
  };
  struct CoresAvailable {  // of a worker: sent in its heartbeat
    std::uint32_t count = 0;
  };
  struct RotateKeys {
    wire::Keyring keys;
  };
  struct Leave {  // announced to the peers; Left follows
    WallTime wall;
  };
  using Event = std::variant<Start, DatagramIn, Refused, Tick, LoopLag, EmbedState, CoresAvailable, RotateKeys, Leave>;

  // Actions.
  struct Send {
    wire::NodeAddress to;
    SharedBytes bytes;
  };
  struct Persist {
    DurableState state;
  };
  struct BecameLeader {
    wire::Term term;
    std::uint64_t fence;  // the first fencing token of the term
  };
  struct LostLeadership {
    wire::Term term;
    std::string reason;
  };
  struct LeaderChanged {
    std::optional<wire::NodeIdentity> leader;
    wire::Term term;
  };
  struct MemberUp {  // confirmed for the first time, or back from the dead
    wire::NodeIdentity member;
    bool recovered = false;
  };
  struct MemberDown {  // exactly once for each passage from not dead to dead (AD31-1)
    wire::NodeIdentity member;
    wire::Incarnation incarnation;
    bool heard_by_gossip = false;
    bool left = false;
  };
  struct StateReceived {  // a peer's embedded state, already checked to be newer than the last one
    wire::NodeIdentity from;
    SharedBytes state;
  };
  struct JobNodeDown {  // the member no longer answers for this job, though it may be alive (AD30-INT-4)
    std::string job;    // at a gate a datacenter
    wire::NodeIdentity member;
    wire::Incarnation incarnation;
  };
  struct PrimaryChanged {  // of a worker or a gate: its primary manager in this datacenter
    std::string datacenter;
    std::optional<wire::NodeIdentity> manager;
    ChoiceReason reason = ChoiceReason::kFirst;
  };
  struct LeaderLearned {  // of a worker or a gate: the leader of the managers there, from heartbeats (AD31-9)
    std::string datacenter;
    std::optional<wire::NodeIdentity> leader;
    wire::Term term;
  };
  struct Note {  // a line for the log
    bool warning = false;
    std::string text;
  };
  struct Left {};
  using Action = std::variant<Send, Persist, BecameLeader, LostLeadership, LeaderChanged, MemberUp, MemberDown,
                              StateReceived, JobNodeDown, PrimaryChanged, LeaderLearned, Note, Left>;

  ClusterNode(ClusterConfig config, DurableState durable);
  ~ClusterNode();
  ClusterNode(ClusterNode&&) noexcept;
  ClusterNode& operator=(ClusterNode&&) noexcept;

  Actions<Action> step(const Event& event, MonoTime now);
  MonoTime next_wake() const;

  // State for status pages, metrics and checkers of the simulator, as a value.
  ClusterView view(MonoTime now) const;
  // Membership changes, the oldest first.
  std::vector<membership::AuditEntry> audit() const;
  // Whether this node may act as leader at this moment: it holds the lease of its term. A fenced action checks this.
  bool leads(MonoTime now) const;

  // Liveness of a member for one job (AD-30). These calls may change next_wake(); a death comes as JobNodeDown at a
  // Tick.
  bool suspect_job(std::string_view job, const wire::NodeAddress& member, MonoTime now);
  bool answered_job(std::string_view job, const wire::NodeAddress& member);  // clears its suspicion or death
  std::size_t clear_job(std::string_view job);  // how many suspicions and deaths there were
  bool is_alive_for_job(std::string_view job, const wire::NodeAddress& member) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

std::string to_string(const ClusterNode::Action& action);

}  // namespace hyperscale::cluster

// Implementation of ClusterNode: membership and election, which feed each other, and the gate between them and the
// network. Included by the sources of this folder only.
#pragma once

#include "cluster/cluster_node.h"
#include "cluster/degradation.h"
#include "cluster/own_heartbeat.h"
#include "cluster/packet_gate.h"
#include "cluster/primary_managers.h"
#include "election/election.h"
#include "membership/membership.h"
#include "membership/versioned_state.h"

#include <cstdint>
#include <optional>

namespace hyperscale::cluster {

struct ClusterNode::Parts {
  Parts(ClusterConfig config, DurableState durable);

  // Events.
  void take(const Start& event, MonoTime now);
  void take(const DatagramIn& event, MonoTime now);
  void take(const Refused& event, MonoTime now);
  void take(const Tick& event, MonoTime now);
  void take(const LoopLag& event, MonoTime now);
  void take(const EmbedState& event, MonoTime now);
  void take(const CoresAvailable& event, MonoTime now);
  void take(const RotateKeys& event, MonoTime now);
  void take(const Leave& event, MonoTime now);

  void after_step(MonoTime now);  // what follows from any event
  ClusterView view(MonoTime now) const;

  ClusterConfig config;
  DurableState durable;
  ClusterStats stats;
  membership::Membership membership;
  std::optional<election::Election> election;  // none: this node does not vote
  PrimaryManagers primaries;
  DegradationMeter degradation;
  std::optional<PacketGate> gate;  // none before Start: only then is the time known
  Actions<Action> out;             // of the current step

 private:
  // What the cores ask for, in their order.
  void carry_out(Actions<membership::Membership::Action> actions, MonoTime now);
  void carry_out(Actions<election::Election::Action> actions, MonoTime now);
  void act(membership::Membership::Send action, MonoTime now);
  void act(membership::Membership::MemberUp action, MonoTime now);
  void act(membership::Membership::MemberDown action, MonoTime now);
  void act(const membership::Membership::StateReceived& action, MonoTime now);
  void act(const membership::Membership::JobNodeDown& action, MonoTime now);
  void act(const membership::Membership::IncarnationChanged& action, MonoTime now);
  void act(membership::Membership::Note action, MonoTime now);
  void act(const membership::Membership::Left& action, MonoTime now);
  void act(election::Election::Send action, MonoTime now);
  void act(election::Election::Persist action, MonoTime now);
  void act(const election::Election::BecameLeader& action, MonoTime now);
  void act(election::Election::LostLeadership action, MonoTime now);
  void act(election::Election::LeaderChanged action, MonoTime now);
  void act(election::Election::Note action, MonoTime now);

  void step_membership(const membership::Membership::Event& event, MonoTime now);
  void step_election(const election::Election::Event& event, MonoTime now);
  void send(const wire::NodeAddress& to, wire::ClusterMessage message);
  void persist();
  void report_health(MonoTime now);
  void report_degradation(MonoTime now);
  void embed();
  void embed_own_state(MonoTime now);
  wire::KeyDomain domain_to(const wire::NodeAddress& to) const;
  // The latest possible term at the current event.
  wire::Term latest_term() const;
  void report_primaries();
  void forget_old_states(MonoTime now);

  WallTime wall_;                                    // of the current event
  std::optional<wire::NodeAddress> sending_worker_;  // of the last packet, known or not
  SharedBytes own_state_;
  std::uint32_t own_state_changes_ = 0;
  SharedBytes heartbeat_;  // sent while the owner has set no state
  std::optional<OwnFacts> embedded_facts_;
  std::uint32_t workers_up_ = 0;
  std::uint32_t cores_available_ = 0;
  bool started_ = false;
  bool leaving_ = false;
  std::uint32_t reported_health_ = 0;
  Degradation reported_degradation_ = Degradation::kNormal;
  membership::VersionedState<wire::NodeAddress> states_;
  MonoTime next_states_cleanup_;
};

}  // namespace hyperscale::cluster

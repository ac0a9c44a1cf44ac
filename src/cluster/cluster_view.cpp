#include "cluster/cluster_view.h"

#include "cluster/node_parts.h"

#include <utility>

namespace hyperscale::cluster {
namespace {

LeadershipState state_of(election::State state) {
  switch (state) {
    case election::State::kInitial:
      return LeadershipState::kInitial;
    case election::State::kFollower:
      return LeadershipState::kFollower;
    case election::State::kPreCandidate:
      return LeadershipState::kPreCandidate;
    case election::State::kCandidate:
      return LeadershipState::kCandidate;
    case election::State::kLeader:
      break;
  }
  return LeadershipState::kLeader;
}

}  // namespace

std::string_view name(LeadershipState state) {
  switch (state) {
    case LeadershipState::kInitial:
      return "initial";
    case LeadershipState::kFollower:
      return "follower";
    case LeadershipState::kPreCandidate:
      return "pre-candidate";
    case LeadershipState::kCandidate:
      return "candidate";
    case LeadershipState::kLeader:
      return "leader";
    case LeadershipState::kNonVoter:
      break;
  }
  return "non-voter";
}

ClusterView ClusterNode::Parts::view(MonoTime now) const {
  ClusterView view;
  view.self = membership.self();
  view.incarnation = membership.incarnation();
  view.leadership = election ? state_of(election->state()) : LeadershipState::kNonVoter;
  if (election) {
    view.term = election->term();
    view.leader = election->leader();
    view.quorum_available = election->has_quorum_available();
  }
  view.latest_term = latest_term();
  view.primaries = primaries.view();
  for (const PrimaryView& row : view.primaries) {
    if (election || row.datacenter != view.self.datacenter) continue;
    view.term = row.term;
    view.leader = row.leader;
  }
  view.coordinate = membership.coordinate();
  for (membership::MemberSnapshot& member : membership.members(now)) {
    view.members.push_back({.identity = std::move(member.identity),
                            .state = member.state,
                            .incarnation = member.incarnation,
                            .in_state_for = member.in_state_for,
                            .rtt_ms = member.rtt_ms,
                            .rtt_ucb_ms = member.rtt_ucb_ms,
                            .coordinate_quality = member.coordinate_quality,
                            .measured_rtt_ms = member.measured_rtt_ms,
                            .suspicion_timeout = member.suspicion_timeout,
                            .passive_timeout_remaining = member.passive_timeout_remaining,
                            .confirmation_attempts = member.confirmation_attempts,
                            .next_attempt_in = member.next_attempt_in});
  }
  view.stats = stats;
  view.stats.health_score = membership.health_score();
  view.stats.degradation = degradation_of(view.stats.health_score, degradation.lag_ratio(now));
  view.stats.states_known = static_cast<std::uint32_t>(states_.size());
  view.stats.membership = membership.counters();
  if (election) {
    view.stats.elections_started = election->stats().elections_started;
    view.stats.elections_won = election->stats().elections_won;
    view.stats.step_downs = election->stats().step_downs;
  }
  return view;
}

}  // namespace hyperscale::cluster

// Changes of a member's state: each function is one transition of the tables in transitions.h, with all its effects.
// The caller has decided that it may happen.

#include "base/duration_text.h"
#include "membership/membership_parts.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::membership {

using wire::Incarnation;
using wire::NodeIdentity;

void Membership::Parts::record(AuditEvent event, const Member& member, MonoTime now, bool by_gossip) {
  audit.record({.time = now,
                .event = event,
                .subject = member.address(),
                .incarnation = member.incarnation,
                .heard_by_gossip = by_gossip});
}

// First message from an unknown node or from an unconfirmed peer.
void Membership::Parts::meet(Member* member, const NodeIdentity& identity, Incarnation at, MonoTime now) {
  const bool first_here = member == nullptr || !member->named;  // not reported yet
  if (member == nullptr) {
    Member stranger;
    stranger.identity = identity;
    stranger.named = true;
    stranger.state = MemberState::kAlive;
    stranger.incarnation = at;
    stranger.since = now;
    stranger.timer = MonoTime::max();
    member = table.add(std::move(stranger));
    if (member == nullptr) {
      ++counters.members_refused;
      return;
    }
  } else {
    table.set_identity(*member, identity);
    table.set_incarnation(*member, std::max(member->incarnation, at));
    table.set_state(*member, MemberState::kAlive, now);
    table.set_timer(*member, MonoTime::max());
    ++counters.confirmations;
    if (member->attempts > 0) {
      ++counters.confirmation_successes;
      note_attempts(*member, "confirmed");
    }
  }
  confirmed_now = member->address();
  tombstones.remove(member->address());
  schedule.add(member->address());
  record(AuditEvent::kPeerConfirmed, *member, now);
  actions.push_back(MemberUp{.member = member->identity, .recovered = false});
  if (first_here) {
    pass_on({wire::UpdateKind::kJoin, member->identity, member->incarnation, self.address}, now);
  }
  if (early_syncs_left == config.early_syncs && early_syncs_left > 0) next_sync = std::min(next_sync, now);
}

bool Membership::Parts::suspect(Member& member, const Accusation& accusation, MonoTime now) {
  update_detector();
  const std::uint64_t refused_before = detector.stats().refused();
  if (!detector.suspect_global(accusation, now)) {
    note_if_full(refused_before, accusation.node, now);
    return false;
  }
  count_timeout(member, accusation, now);
  table.set_incarnation(member, std::max(member.incarnation, accusation.incarnation));
  table.set_state(member, MemberState::kSuspect, now);
  member.suspected_here = accusation.from == self.address;
  member.death_rumoured = false;
  member.last_calls = 0;
  table.set_timer(member, MonoTime::max());
  plan_last_call(member, now);
  record(AuditEvent::kSuspected, member, now, !member.suspected_here);
  return true;
}

// At a limit every accusation would be a line of the log: one per reconciliation is enough, all are counted.
void Membership::Parts::note_if_full(std::uint64_t refused_before, const wire::NodeAddress& node, MonoTime now) {
  if (detector.stats().refused() == refused_before || now < next_full_note) return;
  next_full_note = now + config.detection.reconcile_interval;
  note(true, fmt::format("cannot suspect {}: {} suspicions of peers and {} of peers for jobs are kept, and no more",
                         to_string(node), detector.global_suspicions(), detector.job_entries()));
}

// Only what the coordinates asked for: a doubted death has a time of its own.
void Membership::Parts::count_timeout(const Member& member, const Accusation& accusation, MonoTime now) {
  const AdaptiveTimeout made = coordinates.timeout_of(member.address(), member.identity.role, load(), now);
  if (accusation.timeout != made.timeout) return;
  counters.timeouts.applied_s[member.identity.role].add(seconds(made.timeout));
  counters.timeouts.latency_multiplier.add(made.latency_multiplier);
  counters.timeouts.load_multiplier.add(made.load_multiplier);
  counters.timeouts.confidence_adjustment.add(made.confidence_adjustment);
}

void Membership::Parts::refute(Member& member, Incarnation at, MonoTime now) {
  detector.refute_global(member.address(), at);
  table.set_incarnation(member, at);
  table.set_state(member, MemberState::kAlive, now);
  table.set_timer(member, MonoTime::max());
  ++counters.suspicions_refuted;
  if (member.suspected_here) health.record(HealthEvent::kRefutationSucceeded);
  record(AuditEvent::kRefuted, member, now);
}

void Membership::Parts::recover(Member& member, Incarnation at, MonoTime now) {
  if (!detector.clear_global_death(member.address(), at)) detector.forget(member.address());
  table.set_incarnation(member, std::max(member.incarnation, at));
  table.set_state(member, MemberState::kAlive, now);
  table.set_timer(member, MonoTime::max());
  schedule.add(member.address());
  ++counters.recoveries;
  record(AuditEvent::kRecovered, member, now);
  actions.push_back(MemberUp{.member = member.identity, .recovered = true});
}

void Membership::Parts::die(Member& member, Incarnation at, bool by_gossip, MonoTime now) {
  detector.declare_global_death(member.address(), at, now);
  ++(by_gossip ? counters.deaths_gossiped : counters.deaths_detected);
  gone(member, at, MemberState::kDead, by_gossip, now);
  record(AuditEvent::kDied, member, now, by_gossip);
}

void Membership::Parts::leave(Member& member, Incarnation at, MonoTime now) {
  detector.forget(member.address());
  ++counters.departures;
  gone(member, at, MemberState::kLeft, true, now);
  record(AuditEvent::kLeft, member, now, true);
}

// The only place that reports a death or a departure (AD31-1).
void Membership::Parts::gone(Member& member, Incarnation at, MemberState end, bool by_gossip, MonoTime now) {
  table.set_incarnation(member, std::max(member.incarnation, at));
  table.set_state(member, end, now);
  table.set_timer(member, now + config.dead_kept);
  schedule.remove(member.address());
  cycles.drop_target(member.address());
  actions.push_back(MemberDown{.member = member.identity,
                               .incarnation = member.incarnation,
                               .heard_by_gossip = by_gossip,
                               .left = end == MemberState::kLeft});
}

void Membership::Parts::remove(Member& member) {
  schedule.remove(member.address());
  cycles.drop_target(member.address());
  coordinates.forget(member.address());
  detector.forget(member.address());
  table.remove(member);
}

void Membership::Parts::reap(Member& member, MonoTime now) {
  record(AuditEvent::kReaped, member, now);
  tombstones.raise(member.address(), member.incarnation, now);
  ++counters.reaped;
  remove(member);
}

// Another process took over the address: the member of the old name is gone, whether or not the new one becomes a
// member. Returns the member to continue with, null when none is left.
Member* Membership::Parts::replace_if_other(Member& member, const NodeIdentity& identity, Incarnation at,
                                            MonoTime now) {
  const NodeIdentity& old = member.identity;
  const bool same = old.name == identity.name && old.role == identity.role && old.datacenter == identity.datacenter;
  if (!member.named || at < member.incarnation) return &member;
  if (same) {
    table.set_identity(member, identity);  // the TCP port may have changed
    return &member;
  }
  note(true, fmt::format("{} was {} and is now {}", wire::to_string(identity.address), old.name, identity.name));
  if (is_present(member.state)) die(member, member.incarnation, false, now);
  remove(member);
  return nullptr;
}

}  // namespace hyperscale::membership

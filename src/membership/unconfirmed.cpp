// Peers that are known by name or address but never sent a message (AD-29, A.3 and A.5 of AD-35): kept as long as their
// role's strategy defines, probed extra times where it allows that, then removed. They are probed in turn like all
// members, but their silence has no consequence, and they never die.

#include "membership/membership_parts.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::membership {

using wire::NodeIdentity;

Member* Membership::Parts::learn(const NodeIdentity& identity, wire::Incarnation at, bool named, MonoTime now) {
  Member peer;
  peer.identity = identity;
  peer.named = named;
  peer.incarnation = at;
  peer.since = now;
  peer.timer = MonoTime::max();
  peer.passive_until = now + coordinates.strategy(identity.role).passive_wait(load());
  Member* member = table.add(std::move(peer));
  if (member == nullptr) {
    ++counters.members_refused;
    return nullptr;
  }
  set_unconfirmed_timer(*member);
  schedule.add(member->address());
  record(AuditEvent::kPeerLearned, *member, now, named);
  if (named && now < started_at + config.introduce_for) introductions.add(member->address(), now);
  return member;
}

void Membership::Parts::set_unconfirmed_timer(Member& member) {
  const MonoTime warning = member.warned ? MonoTime::max() : member.since + config.unconfirmed_warning;
  table.set_timer(member, std::min(warning, member.passive_until));
}

void Membership::Parts::unconfirmed_timer(Member& member, MonoTime now) {
  if (!member.warned && now >= member.since + config.unconfirmed_warning) {
    member.warned = true;
    ++counters.warned_unconfirmed;
    note(true,
         fmt::format("Peer {} still unconfirmed after {}s - check configuration", wire::to_string(member.address()),
                     std::chrono::duration_cast<std::chrono::seconds>(config.unconfirmed_warning).count()));
  }
  if (now >= member.passive_until) {
    const RoleStrategy& strategy = coordinates.strategy(member.identity.role);
    const MonoTime patience = member.since + strategy.passive_wait(load());
    if (member.attempts == 0 && patience > now) {  // this node is busier than when it heard of the peer (AD35-ROLE-6)
      member.passive_until = patience;
    } else if (strategy.proactive_confirmation && member.attempts < strategy.confirmation_attempts) {
      ++member.attempts;
      ++counters.confirmation_attempts[member.identity.role];
      note_attempts(member, "asked");
      member.passive_until = now + strategy.attempt_interval;
      start_probe(member, ProbePurpose::kAttempt, strategy.attempt_interval, now);
    } else {
      remove_unconfirmed(member, false, now);
      return;
    }
  }
  set_unconfirmed_timer(member);
}

void Membership::Parts::note_attempts(const Member& member, std::string_view outcome) {
  note(false,
       fmt::format("RoleConfirmationAttempt peer={} role={} attempts={} outcome={}", wire::to_string(member.address()),
                   wire::name(member.identity.role), member.attempts, outcome));
}

// Logged at the end of the message that confirmed it, so that its round trip and coordinate are included if known.
void Membership::Parts::note_confirmed(const wire::NodeAddress& peer, MonoTime now) {
  const Member* member = table.find(peer);
  if (member == nullptr) return;
  const RttEstimate estimate = coordinates.estimate(peer, now);
  const std::string rtt = member->rtt_us > 0 ? fmt::format("{:.3f}", static_cast<double>(member->rtt_us) / 1e3) : "-";
  note(false, fmt::format("PeerConfirmed peer={} role={} rtt_ms={} error_ms={:.3f} samples={}", wire::to_string(peer),
                          wire::name(member->identity.role), rtt,
                          estimate.known ? estimate.error_ms : estimate.sigma_ms, estimate.samples));
}

// Not a death: it is not reported, and after a timeout not even its incarnation is kept (AD35-ROLE-7).
void Membership::Parts::remove_unconfirmed(Member& member, bool by_gossip, MonoTime now) {
  ++counters.unconfirmed_removed[member.identity.role];
  ++(by_gossip ? counters.unconfirmed_removed_by_gossip
               : counters.unconfirmed_removed_by_timeout)[member.identity.role];
  if (!by_gossip && member.attempts > 0) note_attempts(member, "exhausted");
  record(AuditEvent::kUnconfirmedPeerRemoved, member, now, by_gossip);
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(now - member.since).count();
  note(false,
       fmt::format("PeerUnconfirmedCleanup peer={} role={} reason={} elapsed_ms={}", wire::to_string(member.address()),
                   wire::name(member.identity.role), by_gossip ? "gone" : "timeout", elapsed));
  remove(member);
}

void Membership::Parts::introduce_due(MonoTime now) {
  for (std::size_t said = 0; said < config.introductions_per_turn;) {
    const auto next = introductions.take_due(now);
    if (!next) return;
    const Member* member = table.find(next->peer);
    if (member == nullptr || member->state != MemberState::kUnconfirmed) continue;
    send(next->peer, wire::Join{});
    ++counters.introductions_sent;
    ++said;
    if (next->times + 1 < config.introductions_each) introductions.again(*next, now + config.introduce_again);
  }
}

}  // namespace hyperscale::membership

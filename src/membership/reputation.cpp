// Claims of others about this node, and its refutations (SWIM-2): an accusation is refuted by an incarnation above it.

#include "membership/membership_parts.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::membership {

using wire::Incarnation;
using wire::MemberUpdate;
using wire::NodeAddress;
using wire::UpdateKind;

MemberUpdate Membership::Parts::about_self(UpdateKind kind) const {
  return {.kind = kind, .subject = self, .incarnation = incarnation, .origin = self.address};
}

MemberUpdate Membership::Parts::accusation_of(const Member& member) const {
  const UpdateKind kind = is_gone(member.state) ? UpdateKind::kDead : UpdateKind::kSuspect;
  return {.kind = kind, .subject = member.identity, .incarnation = member.incarnation, .origin = self.address};
}

// A peer may also know this node by an incarnation that it does not remember, because its data on disk was lost.
void Membership::Parts::accused(const MemberUpdate& update, const NodeAddress& via, MonoTime now) {
  const bool says_alive = update.kind == UpdateKind::kAlive || update.kind == UpdateKind::kJoin;
  if (update.incarnation < incarnation || (says_alive && update.incarnation == incarnation)) return;
  if (phase != Phase::kRunning || config.mutations.never_refute) return;
  if (update.incarnation.value() == UINT64_MAX) {
    note(true, fmt::format("{} knows this node by an incarnation that nothing can exceed", wire::to_string(via)));
    return;
  }
  raise_incarnation_above(update.incarnation, now);
  announce(via, about_self(UpdateKind::kAlive));
}

void Membership::Parts::raise_incarnation_above(Incarnation accused_at, MonoTime now) {
  incarnation = Incarnation(std::max(incarnation, accused_at).value() + 1);
  actions.push_back(IncarnationChanged{incarnation});
  ++counters.refutations;
  health.record(HealthEvent::kRefutationSucceeded);
  audit.record({.time = now,
                .event = AuditEvent::kSelfRefuted,
                .subject = self.address,
                .incarnation = incarnation,
                .heard_by_gossip = true});
  pass_on(about_self(UpdateKind::kAlive), now);
}

}  // namespace hyperscale::membership

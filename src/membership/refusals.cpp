// A process that has ended says nothing, but its host does: it answers packets with "port unreachable". That is a hint
// which anybody can forge, so it takes no step of the probe cycle away (SWIM-PROBE-1): it ends waiting. The direct
// probe is over, proxies are asked at once, and only when none of them reaches the peer either is it suspected, for a
// shorter time than one that is merely silent. A stopped process or a cut line is never refused.

#include "membership/membership_parts.h"

#include <algorithm>

namespace hyperscale::membership {

using wire::NodeAddress;

void Membership::Parts::on_refused(const NodeAddress& peer, MonoTime now) {
  if (phase != Phase::kRunning) return;
  while (const auto probe = proxied.refused(peer)) {
    send(probe->asker, wire::Nack{.sequence = probe->asker_sequence, .target = probe->target});
  }
  Member* member = table.find(peer);
  if (member == nullptr || !is_present(member->state)) return;
  ++counters.refusals;
  if (cycles.refused(peer)) {
    run_probe_deadlines(now);
  } else if (member->state == MemberState::kAlive && now >= member->refusal_heeded_until) {
    // It was not a probe that was refused. Ask: the answer to that one counts.
    member->refusal_heeded_until = now + config.probe_interval;
    look_for_oneself(*member, now);
  }
}

// Long enough for any answer of a process that lives.
Duration Membership::Parts::refused_timeout_of(const Member& member, MonoTime now) const {
  return static_cast<Duration::rep>(config.refused_patience) * direct_timeout_of(member, now);
}

// This node and its proxies have found out themselves what the suspicion is about. Where another one has already
// declared the death, that is enough.
void Membership::Parts::hasten(Member& suspect, MonoTime now) {
  const MonoTime deadline = suspect.death_rumoured ? now : now + refused_timeout_of(suspect, now);
  if (detector.hasten_global(suspect.address(), deadline)) plan_last_call(suspect, now);
}

}  // namespace hyperscale::membership

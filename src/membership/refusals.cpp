// The host of a process that has ended answers packets with "port unreachable". This hint can be forged, so it skips no
// step of the probe cycle (SWIM-PROBE-1), only waiting: the direct probe is over, proxies are asked at once, and only
// when no proxy reaches the peer either is it suspected, for a shorter time than a silent one. Packets to a stopped
// process or over a cut line are never refused.

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
    // The refused packet was not a probe: probe the member, and the result of that probe counts.
    member->refusal_heeded_until = now + config.probe_interval;
    look_for_oneself(*member, now);
  }
}

// Long enough for any answer of a live process.
Duration Membership::Parts::refused_timeout_of(const Member& member, MonoTime now) const {
  return static_cast<Duration::rep>(config.refused_patience) * direct_timeout_of(member, now);
}

// This node and its proxies have confirmed the suspicion themselves. If another node has already declared the death, no
// further wait is needed.
void Membership::Parts::shorten_suspicion(Member& suspect, MonoTime now) {
  const MonoTime deadline = suspect.death_rumoured ? now : now + refused_timeout_of(suspect, now);
  if (detector.shorten_global(suspect.address(), deadline)) plan_last_call(suspect, now);
}

}  // namespace hyperscale::membership

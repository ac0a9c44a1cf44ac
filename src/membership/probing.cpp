// The probe cycle (catalogue section 5.2): direct probe, probes through proxies, suspicion; and the answers that this
// node gives as a proxy.

#include "membership/membership_parts.h"

#include <algorithm>

namespace hyperscale::membership {

using wire::NodeAddress;

namespace {
constexpr std::size_t kProxyDraws = 32;  // random draws before the whole list is searched
constexpr std::size_t kSkippedTurnsMax = 8;
constexpr std::size_t kSeedsContactedMax = 3;  // in one turn of a node that is alone
}  // namespace

void Membership::Parts::probe_turn(MonoTime now) {
  next_probe = std::max(next_probe + config.probe_interval, now + config.probe_interval / 2);
  if (table.present_count() == 0) contact_seeds(kSeedsContactedMax);
  for (std::size_t skipped = 0; skipped < kSkippedTurnsMax; ++skipped) {
    const auto address = schedule.next();
    if (!address) return;
    if (cycles.is_probing(*address)) continue;
    Member& target = *table.find(*address);
    start_probe(target, ProbePurpose::kRound, direct_timeout_of(target, now), now);
    return;
  }
}

void Membership::Parts::start_probe(Member& member, ProbePurpose purpose, Duration timeout, MonoTime now) {
  const std::uint64_t sequence = next_sequence++;
  ProbeCycle cycle;
  cycle.sequence = sequence;
  cycle.target = member.address();
  cycle.purpose = purpose;
  cycle.sent = now;
  cycle.deadline = now + timeout;
  cycle.can_fail = purpose != ProbePurpose::kLastCall &&
                   (member.state != MemberState::kUnconfirmed || config.mutations.suspect_unconfirmed);
  if (!cycles.start(cycle)) return;
  ++counters.probes_sent;
  send(member.address(), wire::Probe{.sequence = sequence, .target = member.address()});
}

// A far peer is given the time that its answer takes at worst (AD35-RTT-2); a slow observer waits longer (SWIM-LHM-2).
Duration Membership::Parts::direct_timeout_of(const Member& member, MonoTime now) const {
  Duration timeout = config.direct_timeout;
  const RttEstimate estimate = coordinates.estimate(member.address(), now);
  if (estimate.known) {
    const auto worst = Duration(static_cast<Duration::rep>(estimate.ucb_ms * 1.5e6));
    timeout = std::clamp(worst, timeout, std::max(timeout, config.direct_timeout_max));
  }
  return Duration(static_cast<Duration::rep>(static_cast<double>(timeout.count()) * load()));
}

void Membership::Parts::run_probe_deadlines(MonoTime now) {
  for (const ProbeCycle& cycle : cycles.overdue(now)) {
    Member* target = table.find(cycle.target);
    const bool can_fail = cycle.can_fail && target != nullptr && !is_gone(target->state);
    if (can_fail && !cycle.indirect && !config.mutations.skip_indirect) {
      ask_proxies(cycle, *target, now);
      continue;
    }
    cycles.drop(cycle.sequence);
    if (can_fail) probe_failed(*target, cycle, now);
  }
  while (const auto probe = proxied.overdue(now)) {
    send(probe->asker, wire::Nack{.sequence = probe->asker_sequence, .target = probe->target});
  }
}

void Membership::Parts::ask_proxies(const ProbeCycle& cycle, const Member& target, MonoTime now) {
  ++counters.indirect_probes;
  // A suspect is expected not to answer, and a refusal came in time: neither is a sign of this node's own health.
  if (target.state != MemberState::kSuspect && !cycle.refused) health.record(HealthEvent::kIndirectProbeNeeded);
  const std::vector<NodeAddress> proxies = choose_proxies(target);
  for (const NodeAddress& proxy : proxies) {
    send(proxy, wire::PingReq{.sequence = cycle.sequence, .target = target.address()});
  }
  // Without proxies the target still gets the time.
  const Duration direct = cycle.deadline - cycle.sent;
  const auto indirect =
      Duration(static_cast<Duration::rep>(static_cast<double>(config.indirect_timeout.count()) * load()));
  cycles.ask_proxies(cycle.sequence, proxies.size(), now + std::max(indirect, direct));
}

std::vector<NodeAddress> Membership::Parts::choose_proxies(const Member& target) {
  std::vector<NodeAddress> chosen;
  const auto consider = [&](const Member& member) {
    if (member.state != MemberState::kAlive || &member == &target) return;
    if (std::find(chosen.begin(), chosen.end(), member.address()) != chosen.end()) return;
    if (wire::related(member.identity, target.identity)) chosen.push_back(member.address());
  };
  const std::size_t present = table.present_count();
  if (present == 0) return chosen;
  for (std::size_t draw = 0; draw < kProxyDraws && chosen.size() < config.proxies; ++draw) {
    consider(*table.present().at(prng.below(present)));
  }
  if (!chosen.empty()) return chosen;
  const std::size_t first = prng.below(present);
  for (std::size_t i = 0; i < present && chosen.size() < config.proxies; ++i) {
    consider(*table.present().at((first + i) % present));
  }
  return chosen;
}

void Membership::Parts::probe_failed(Member& target, const ProbeCycle& cycle, MonoTime now) {
  const bool refused = cycle.refused;
  ++counters.probes_failed;
  if (refused) ++counters.probes_refused;
  const NodeAddress& address = target.address();
  if (target.state == MemberState::kSuspect) {
    if (refused) shorten_suspicion(target, now);
    if (confirm(target, target.incarnation, self.address, now)) pass_on(accusation_of(target), now);
    return;
  }
  if (!refused) health.record(HealthEvent::kProbeFailed);
  const wire::NodeRole role = target.identity.role;
  const Accusation accusation{
      .node = address,
      .role = role,
      .incarnation = target.incarnation,
      .from = self.address,
      .timeout = refused ? refused_timeout_of(target, now) : coordinates.suspicion_timeout(address, role, load(), now)};
  if (!suspect(target, accusation, now)) return;
  // A proxy that probed for this node and got no answer either is an independent witness (SWIM-3).
  for (const NodeAddress& proxy : cycle.nacked_by) confirm(target, target.incarnation, proxy, now);
  ++(refused ? counters.suspicions_of_refused : counters.suspicions_started);
  if (!refused) health.record(HealthEvent::kSuspicionStarted);
  if (!target.named) return;
  pass_on(accusation_of(target), now);
  announce(address, accusation_of(target));
}

// A few of the nodes that learn of a suspicion probe the suspect themselves: independent confirmations shorten a true
// suspicion, and a suspect that answers learns of it.
void Membership::Parts::second_opinion(Member& member, MonoTime now) {
  if (prng.below(table.present_count()) < config.second_opinions) look_for_oneself(member, now);
}

void Membership::Parts::look_for_oneself(Member& member, MonoTime now) {
  if (cycles.is_probing(member.address())) return;
  ++counters.second_opinions;
  start_probe(member, ProbePurpose::kOpinion, direct_timeout_of(member, now), now);
}

bool Membership::Parts::confirm(Member& member, wire::Incarnation at, const NodeAddress& from, MonoTime now) {
  update_detector();
  if (!detector.confirm_global(member.address(), at, from, now)) return false;
  plan_last_call(member, now);  // there is less time left
  return true;
}

// A refutation may miss a node: a suspect is probed a few more times before its timeout. Its answer carries its
// incarnation, even if earlier gossip was lost. A dead suspect costs each member these few probes.
void Membership::Parts::plan_last_call(Member& member, MonoTime now) {
  const auto status = detector.node_status(member.address());
  if (!status || !status->deadline || member.last_calls >= config.last_calls) {
    table.set_timer(member, MonoTime::max());
    return;
  }
  const Duration left = std::max(Duration::zero(), *status->deadline - now);
  const MonoTime call = now + prng.between(left * 3 / 10, left / 2);
  table.set_timer(member, std::min(member.timer, call));
}

void Membership::Parts::last_call(Member& member, MonoTime now) {
  ++member.last_calls;
  start_probe(member, ProbePurpose::kLastCall, direct_timeout_of(member, now), now);
  table.set_timer(member, MonoTime::max());
  plan_last_call(member, now);
}

void Membership::Parts::on_ack(const wire::ClusterMessage& message, const wire::Ack& ack, MonoTime now) {
  const NodeAddress& from = message.sender.address;
  if (const auto cycle = cycles.answered(ack.sequence, from)) {
    ++counters.probes_acked;
    health.record(HealthEvent::kProbeSucceeded);
    const Duration rtt = now - cycle->sent;
    if (Member* member = table.find(from)) member->rtt_us = static_cast<std::uint32_t>(rtt.count() / 1'000);
    coordinates.observe({.peer = from, .sequence = ack.sequence, .remote = message.coordinate, .rtt = rtt}, now);
  } else if (const auto probe = proxied.answered(ack.sequence, from)) {
    send(probe->asker, wire::IndirectAck{.sequence = probe->asker_sequence, .target = from});
  }
}

void Membership::Parts::on_ping_req(const NodeAddress& asker, const wire::PingReq& request, MonoTime now) {
  if (request.target == self.address) {
    send(asker, wire::IndirectAck{.sequence = request.sequence, .target = self.address});
    return;
  }
  ProxiedProbe probe;
  probe.sequence = next_sequence++;
  probe.target = request.target;
  probe.asker = asker;
  probe.asker_sequence = request.sequence;
  probe.deadline = now + config.proxy_timeout;
  if (!proxied.start(probe)) {
    ++counters.proxied_refused;
    return;
  }
  ++counters.proxied_probes;
  send(request.target, wire::Probe{.sequence = probe.sequence, .target = request.target});
}

// Alive but slow, or hard to reach from here (SWIM-PROBE-2).
void Membership::Parts::on_indirect_ack(const wire::IndirectAck& ack) {
  if (!cycles.answered(ack.sequence, ack.target)) return;
  ++counters.indirect_acks;
  health.record(HealthEvent::kProbeSucceeded);
}

void Membership::Parts::on_nack(const NodeAddress& proxy, const wire::Nack& nack, MonoTime now) {
  ++counters.nacks_received;
  if (cycles.nacked(nack.sequence, nack.target, proxy, now)) run_probe_deadlines(now);
}

}  // namespace hyperscale::membership

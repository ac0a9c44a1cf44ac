#include "membership/membership.h"

#include "base/check.h"
#include "membership/membership_parts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::membership {

using wire::Incarnation;
using wire::NodeAddress;
using wire::NodeIdentity;

namespace {

Config prepared(Config config, const NodeIdentity& self) {
  std::erase_if(config.seeds, [&](const Seed& seed) { return seed.address == self.address; });
  return config;
}

}  // namespace

Membership::Parts::Parts(Config config_in, NodeIdentity self_in, Incarnation last_incarnation, std::uint64_t seed)
    : config(prepared(std::move(config_in), self_in)),
      self(std::move(self_in)),
      incarnation(last_incarnation),
      prng(Prng(seed).stream("membership")),
      table({.members_max = config.members_max, .unconfirmed_max = config.unconfirmed_max}),
      schedule(Prng(seed).stream("probe order")),
      gossip(config.gossip_updates_max),
      tombstones(config.tombstones_max, config.tombstone_kept),
      introductions(config.introductions_max),
      sync_sessions(config.sync_sessions_max),
      detector(config.detection),
      coordinates(config.coordinates, Prng(seed).stream("coordinates")),
      audit(config.audit_entries_max),
      early_syncs_left(config.early_syncs) {
  CHECK(config.probe_interval > Duration::zero() && config.gossip_interval > Duration::zero());
}

void Membership::Parts::on_start(MonoTime now) {
  CHECK(phase == Phase::kCreated, "started twice");
  CHECK(incarnation.value() < UINT64_MAX);
  phase = Phase::kRunning;
  started_at = now;
  coordinates.begin(now);
  earliest_turn = now;
  incarnation = Incarnation(incarnation.value() + 1);
  actions.push_back(IncarnationChanged{incarnation});
  next_probe = now + prng.between(Duration::zero(), config.probe_interval);
  next_sync = now + config.sync_interval;
  for (const Seed& seed : config.seeds) {
    if (table.find(seed.address) != nullptr) continue;
    NodeIdentity identity;
    identity.role = seed.role;
    identity.address = seed.address;
    learn(identity, Incarnation(), false, now);
  }
  contact_seeds(config.seeds.size());
  detector.start(now);  // AD30-INT-1: after SWIM runs
}

void Membership::Parts::on_tick(MonoTime now) {
  if (phase == Phase::kCreated || phase == Phase::kLeft) return;
  if (next_wake() < now - config.probe_interval) {
    // This node did not run. Peers that it waits for may have answered: it reads messages before it suspects any peer.
    judge_not_before = now + config.probe_interval;
    cycles.not_before(now + config.direct_timeout);
  }
  run_probe_deadlines(now);
  if (phase == Phase::kRunning) {
    if (now >= judge_not_before) expire_suspicions(now);
    run_member_timers(now);
    if (now >= next_probe) probe_turn(now);
    if (now >= next_sync) sync_turn(now);
  }
  if (now >= next_turn()) turn(now);
  if (phase == Phase::kLeaving) finish_leaving(now);
}

void Membership::Parts::update_detector() {
  detector.set_members(table.present_count() + 1);
  detector.set_health_multiplier(load());
}

double Membership::Parts::load() const {
  return config.detection.mutations.ignore_local_health ? 1.0 : health.multiplier();
}

void Membership::Parts::expire_suspicions(MonoTime now) {
  if (detector.next_wake() > now) return;
  update_detector();
  const Expired expired = detector.expire(now);
  for (const GlobalDeath& death : expired.global) {
    Member* member = table.find(death.node);
    if (member == nullptr || member->state != MemberState::kSuspect) continue;
    die(*member, death.incarnation, member->death_rumoured, now);
    pass_on(accusation_of(*member), now);
  }
  for (const JobDeath& death : expired.job) {
    const Member* member = table.find(death.node);
    if (member == nullptr) continue;
    actions.push_back(
        JobNodeDown{.job = death.job.value(), .member = member->identity, .incarnation = death.incarnation});
  }
  for (const Anomaly& anomaly : expired.anomalies) {
    note(true, fmt::format("failure detection: layers disagree about {} ({} entries, kind {})",
                           wire::to_string(anomaly.node), anomaly.entries, static_cast<int>(anomaly.kind)));
  }
}

void Membership::Parts::run_member_timers(MonoTime now) {
  while (Member* member = table.due(now)) {
    if (member->state == MemberState::kUnconfirmed) {
      unconfirmed_timer(*member, now);
    } else if (is_gone(member->state)) {
      reap(*member, now);
    } else if (member->state == MemberState::kSuspect) {
      last_call(*member, now);
    } else {
      table.set_timer(*member, MonoTime::max());
    }
  }
}

void Membership::Parts::on_leave(MonoTime now) {
  if (phase == Phase::kLeaving || phase == Phase::kLeft) return;
  detector.stop();  // AD30-INT-1: before SWIM stops
  audit.record({now, AuditEvent::kSelfLeft, self.address, incarnation, false});
  phase = Phase::kLeaving;
  left_at = table.present_count() == 0 ? now : now + config.leave_linger;
  pass_on(about_self(wire::UpdateKind::kLeave), now);
  std::vector<NodeAddress> told;
  for (std::size_t draw = 0; draw < 4 * config.leave_fanout && told.size() < config.leave_fanout; ++draw) {
    const Member* peer = table.random_present(prng);
    if (peer == nullptr) break;
    if (std::find(told.begin(), told.end(), peer->address()) != told.end()) continue;
    told.push_back(peer->address());
    send(peer->address(), wire::Leave{});
  }
  finish_leaving(now);
}

void Membership::Parts::finish_leaving(MonoTime now) {
  if (now < left_at && gossip.size() > 0) return;
  phase = Phase::kLeft;
  actions.push_back(Left{});
}

MonoTime Membership::Parts::next_turn() const {
  if (!sync_sessions.empty() || (gossip.size() > 0 && table.present_count() > 0)) return earliest_turn;
  return std::max(earliest_turn, introductions.next_due());
}

MonoTime Membership::Parts::next_wake() const {
  if (phase == Phase::kCreated || phase == Phase::kLeft) return MonoTime::max();
  MonoTime wake = std::min({cycles.next_deadline(), proxied.next_deadline(), next_turn()});
  if (phase == Phase::kLeaving) return std::min(wake, left_at);
  wake = std::min({wake, next_probe, next_sync, table.next_timer()});
  return std::min(wake, std::max(detector.next_wake(), judge_not_before));
}

MemberSnapshot Membership::Parts::snapshot(const Member& member, MonoTime now) const {
  MemberSnapshot view;
  view.identity = member.identity;
  view.state = member.state;
  view.incarnation = member.incarnation;
  view.in_state_for = now - member.since;
  const RttEstimate estimate = coordinates.estimate(member.address(), now);
  if (estimate.known) view.rtt_ms = estimate.rtt_ms;
  view.rtt_ucb_ms = estimate.ucb_ms;
  view.coordinate_quality = estimate.quality;
  view.rtt = estimate;
  if (member.rtt_us > 0) view.measured_rtt_ms = static_cast<double>(member.rtt_us) / 1e3;
  const wire::NodeRole role = member.identity.role;
  view.suspicion_timeout = coordinates.suspicion_timeout(member.address(), role, load(), now)
                               .value_or(config.detection.timeouts(role).global.max);
  if (member.state == MemberState::kUnconfirmed) {
    const Duration remaining = member.passive_until - now;
    view.confirmation_attempts = member.attempts;
    if (member.attempts == 0) view.passive_timeout_remaining = remaining;
    if (coordinates.strategy(role).proactive_confirmation) view.next_attempt_in = remaining;
  }
  return view;
}

Membership::Membership(Config config, NodeIdentity self, Incarnation last_incarnation, std::uint64_t seed)
    : parts_(std::make_unique<Parts>(std::move(config), std::move(self), last_incarnation, seed)) {}
Membership::~Membership() = default;
Membership::Membership(Membership&&) noexcept = default;
Membership& Membership::operator=(Membership&&) noexcept = default;

Actions<Membership::Action> Membership::step(const Event& event, MonoTime now) {
  std::visit(Overloaded{
                 [&](const Start&) { parts_->on_start(now); },
                 [&](const Received& received) { parts_->on_received(received.message, now); },
                 [&](const Refused& refused) { parts_->on_refused(refused.peer, now); },
                 [&](const Tick&) { parts_->on_tick(now); },
                 [&](const LoopLag& lag) { parts_->health.observe_loop(lag.late, lag.period); },
                 [&](const Leave&) { parts_->on_leave(now); },
             },
             event);
  return std::exchange(parts_->actions, {});
}

MonoTime Membership::next_wake() const {
  return parts_->next_wake();
}

void Membership::embed_state(SharedBytes state) {
  parts_->state = std::move(state);
}

wire::ClusterMessage Membership::envelope(wire::ClusterBody body, const NodeAddress& to, MonoTime) {
  return parts_->make(std::move(body), parts_->table.find(to));
}

const NodeIdentity& Membership::self() const {
  return parts_->self;
}

Incarnation Membership::incarnation() const {
  return parts_->incarnation;
}

bool Membership::left() const {
  return parts_->phase == Parts::Phase::kLeft;
}

std::uint32_t Membership::health_score() const {
  return parts_->health.score();
}

double Membership::health_multiplier() const {
  return parts_->load();
}

std::optional<wire::Coordinate> Membership::coordinate() const {
  const wire::Coordinate local = parts_->coordinates.local();
  if (local.sample_count == 0) return std::nullopt;
  return local;
}

Counters Membership::counters() const {
  Counters counters = parts_->counters;
  const auto count = [&](MemberState state) { return static_cast<std::uint32_t>(parts_->table.count(state)); };
  counters.peers_unconfirmed = count(MemberState::kUnconfirmed);
  counters.peers_alive = count(MemberState::kAlive);
  counters.peers_suspect = count(MemberState::kSuspect);
  counters.peers_dead = count(MemberState::kDead);
  counters.peers_left = count(MemberState::kLeft);
  counters.gossip_queued = static_cast<std::uint32_t>(parts_->gossip.size());
  counters.tombstones_dropped = parts_->tombstones.dropped();
  const DetectorStats& detector = parts_->detector.stats();
  counters.suspicions_refused = detector.refused_wheel_full;
  counters.job_suspicions_refused = detector.refused_job_full + detector.refused_total_full;
  const CoordinateStats coordinates = parts_->coordinates.stats();
  counters.coordinate_updates = coordinates.updates;
  counters.prediction_error_ms = coordinates.prediction_error_ms;
  counters.convergence_time_s = coordinates.convergence_time_s;
  counters.coordinates_refused = coordinates.refused_rtt + coordinates.refused_coordinate +
                                 coordinates.refused_implausible + coordinates.refused_replayed;
  return counters;
}

const AuditLog& Membership::audit() const {
  return parts_->audit;
}

std::size_t Membership::present_count() const {
  return parts_->table.present_count();
}

std::optional<wire::NodeRole> Membership::role_at(const NodeAddress& address) const {
  const Member* member = parts_->table.find(address);
  if (member == nullptr || !member->named) return std::nullopt;
  return member->identity.role;
}

std::optional<MemberState> Membership::state_of(const NodeAddress& address) const {
  const Member* member = parts_->table.find(address);
  if (member == nullptr) return std::nullopt;
  return member->state;
}

std::optional<MemberSnapshot> Membership::member(const NodeAddress& address, MonoTime now) const {
  const Member* member = parts_->table.find(address);
  if (member == nullptr) return std::nullopt;
  return parts_->snapshot(*member, now);
}

std::vector<MemberSnapshot> Membership::members(MonoTime now) const {
  std::vector<MemberSnapshot> views;
  views.reserve(parts_->table.size());
  for (const auto& [address, member] : parts_->table.all()) views.push_back(parts_->snapshot(member, now));
  return views;
}

}  // namespace hyperscale::membership

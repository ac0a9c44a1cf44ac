// Implementation of Membership: its parts, and the functions that join them. One file each for received messages
// (receiving.cpp), state changes of members (passages.cpp), probing (probing.cpp), gossip (spreading.cpp), unconfirmed
// peers (unconfirmed.cpp), peers whose host refuses packets (refusals.cpp), accusations of this node (reputation.cpp)
// and outgoing messages (sending.cpp).
//
// Private to this folder. Thread rule: that of Membership.
#pragma once

#include "base/prng.h"
#include "membership/detection/failure_detector.h"
#include "membership/detection/local_health.h"
#include "membership/gossip_buffer.h"
#include "membership/introductions.h"
#include "membership/member_table.h"
#include "membership/membership.h"
#include "membership/probe_cycles.h"
#include "membership/probe_schedule.h"
#include "membership/proxied_probes.h"
#include "membership/sync_sessions.h"
#include "membership/tombstones.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::membership {

// For std::visit: one function out of several.
template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

struct Membership::Parts {
  enum class Phase : std::uint8_t { kCreated, kRunning, kLeaving, kLeft };

  Parts(Config config_in, wire::NodeIdentity self_in, wire::Incarnation last_incarnation, std::uint64_t seed);

  // membership.cpp
  void on_start(MonoTime now);
  void on_tick(MonoTime now);
  void on_leave(MonoTime now);
  void finish_leaving(MonoTime now);
  void expire_suspicions(MonoTime now);
  void run_member_timers(MonoTime now);
  void update_detector();
  double load() const;  // local health multiplier
  MonoTime next_wake() const;
  MonoTime next_turn() const;
  MemberSnapshot snapshot(const Member& member, MonoTime now) const;

  // receiving.cpp
  void on_received(const wire::ClusterMessage& message, MonoTime now);
  void on_body(const wire::ClusterMessage& message, MonoTime now);
  void on_probe(const wire::NodeAddress& from, const wire::Probe& probe);
  void on_sync_request(const wire::NodeIdentity& asker, const wire::SyncRequest& request);
  void on_sync_page(const wire::SyncPage& page, const wire::NodeAddress& from, MonoTime now);
  void on_unrelated(const wire::ClusterMessage& message, MonoTime now);
  void meet_sender(const wire::ClusterMessage& message, MonoTime now);
  void apply(const wire::MemberUpdate& update, Source source, const wire::NodeAddress& via, MonoTime now);
  void carry_out(Verdict verdict, Member* member, const wire::MemberUpdate& update, Source source,
                 const wire::NodeAddress& via, MonoTime now);
  void hear_suspicion(Verdict verdict, Member& member, const wire::MemberUpdate& update,
                      const wire::NodeAddress& accuser, MonoTime now);

  // passages.cpp
  void meet(Member* member, const wire::NodeIdentity& identity, wire::Incarnation incarnation, MonoTime now);
  bool suspect(Member& member, const Accusation& accusation, MonoTime now);
  void note_if_full(std::uint64_t refused_before, const wire::NodeAddress& node, MonoTime now);
  void count_timeout(const Member& member, const Accusation& accusation, MonoTime now);
  void refute(Member& member, wire::Incarnation incarnation, MonoTime now);
  void recover(Member& member, wire::Incarnation incarnation, MonoTime now);
  void die(Member& member, wire::Incarnation incarnation, bool by_gossip, MonoTime now);
  void leave(Member& member, wire::Incarnation incarnation, MonoTime now);
  void gone(Member& member, wire::Incarnation incarnation, MemberState end, bool by_gossip, MonoTime now);
  void remove(Member& member);
  void reap(Member& member, MonoTime now);
  Member* replace_if_other(Member& member, const wire::NodeIdentity& identity, wire::Incarnation incarnation,
                           MonoTime now);
  void record(AuditEvent event, const Member& member, MonoTime now, bool by_gossip = false);

  // unconfirmed.cpp
  Member* learn(const wire::NodeIdentity& identity, wire::Incarnation incarnation, bool named, MonoTime now);
  void unconfirmed_timer(Member& member, MonoTime now);
  void set_unconfirmed_timer(Member& member);
  void remove_unconfirmed(Member& member, bool by_gossip, MonoTime now);
  void introduce_due(MonoTime now);
  void note_attempts(const Member& member, std::string_view outcome);
  void note_confirmed(const wire::NodeAddress& peer, MonoTime now);

  // probing.cpp
  void probe_turn(MonoTime now);
  void start_probe(Member& member, ProbePurpose purpose, Duration timeout, MonoTime now);
  Duration direct_timeout_of(const Member& member, MonoTime now) const;
  void run_probe_deadlines(MonoTime now);
  void ask_proxies(const ProbeCycle& cycle, const Member& target, MonoTime now);
  std::vector<wire::NodeAddress> choose_proxies(const Member& target);
  void probe_failed(Member& target, const ProbeCycle& cycle, MonoTime now);
  void second_opinion(Member& member, MonoTime now);
  void look_for_oneself(Member& member, MonoTime now);
  bool confirm(Member& member, wire::Incarnation incarnation, const wire::NodeAddress& from, MonoTime now);
  void plan_last_call(Member& member, MonoTime now);
  void last_call(Member& member, MonoTime now);
  void on_ack(const wire::ClusterMessage& message, const wire::Ack& ack, MonoTime now);
  void on_ping_req(const wire::NodeAddress& asker, const wire::PingReq& request, MonoTime now);
  void on_indirect_ack(const wire::IndirectAck& ack);
  void on_nack(const wire::NodeAddress& proxy, const wire::Nack& nack, MonoTime now);

  // refusals.cpp
  void on_refused(const wire::NodeAddress& peer, MonoTime now);
  Duration refused_timeout_of(const Member& member, MonoTime now) const;
  void shorten_suspicion(Member& suspect, MonoTime now);

  // spreading.cpp
  void pass_on(wire::MemberUpdate update, MonoTime now);
  void turn(MonoTime now);  // pushes updates, pages and introductions
  void push_news(MonoTime now);
  void push_pages();
  wire::SyncPage next_page(SyncSessions::Session& session, const wire::NodeIdentity& asker) const;
  void sync_turn(MonoTime now);
  void sync_with(const Member& member);
  std::uint64_t digest_for(const wire::NodeIdentity& peer) const;
  void contact_seeds(std::size_t seeds);

  // reputation.cpp
  void accused(const wire::MemberUpdate& update, const wire::NodeAddress& via, MonoTime now);
  void raise_incarnation_above(wire::Incarnation incarnation, MonoTime now);
  wire::MemberUpdate about_self(wire::UpdateKind kind) const;
  wire::MemberUpdate accusation_of(const Member& member) const;

  // sending.cpp
  std::uint32_t transmissions() const;  // of one update, in a cluster of this size
  wire::ClusterMessage make(wire::ClusterBody body, const Member* to);
  wire::ClusterMessage make_bare(wire::ClusterBody body) const;
  void send(const wire::NodeAddress& to, wire::ClusterBody body);
  void announce(const wire::NodeAddress& to, wire::MemberUpdate update);
  void note(bool warning, std::string text) { actions.push_back(Note{.warning = warning, .text = std::move(text)}); }

  Config config;
  wire::NodeIdentity self;
  wire::Incarnation incarnation;
  Phase phase = Phase::kCreated;
  Prng prng;
  MemberTable table;
  ProbeSchedule schedule;
  ProbeCycles cycles;
  ProxiedProbes proxied;
  GossipBuffer gossip;
  Tombstones tombstones;
  Introductions introductions;
  SyncSessions sync_sessions;
  FailureDetector detector;
  LocalHealth health;
  CoordinateSystem coordinates;
  AuditLog audit;
  Counters counters;
  SharedBytes state;

  std::uint64_t next_sequence = 1;
  std::size_t early_syncs_left;
  MonoTime started_at;
  MonoTime next_probe = MonoTime::max();
  MonoTime next_sync = MonoTime::max();
  MonoTime earliest_turn;
  MonoTime left_at = MonoTime::max();
  MonoTime judge_not_before;                       // after a pause: handle queued packets first
  MonoTime next_full_note;                         // rate limit of the note "the detector is at a limit"
  std::optional<wire::NodeAddress> confirmed_now;  // by the current message

  Actions<Action> actions;  // of the current step
};

}  // namespace hyperscale::membership

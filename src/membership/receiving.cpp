// Handles a message in this order: claims about this node, so that the answer already refutes them; its sender is
// alive; what it carries; its body.

#include "membership/membership_parts.h"

#include <utility>
#include <variant>

#include <fmt/format.h>

namespace hyperscale::membership {

using wire::ClusterMessage;
using wire::MemberUpdate;
using wire::NodeAddress;
using wire::UpdateKind;

namespace {

const MemberUpdate* announced(const ClusterMessage& message) {
  const auto* announce = std::get_if<wire::Announce>(&message.body);
  return announce == nullptr ? nullptr : &announce->update;
}

bool is_answered(const wire::ClusterBody& body) {
  return std::holds_alternative<wire::Probe>(body) || std::holds_alternative<wire::Join>(body) ||
         std::holds_alternative<wire::Leave>(body);  // a goodbye wants no answer
}

}  // namespace

void Membership::Parts::on_received(const ClusterMessage& message, MonoTime now) {
  const NodeAddress& from = message.sender.address;
  if (phase == Phase::kCreated || phase == Phase::kLeft || from == self.address) return;
  if (!wire::related(self, message.sender)) {
    on_unrelated(message, now);
    return;
  }
  const MemberUpdate* announcement = announced(message);
  if (announcement != nullptr && announcement->subject.address == self.address) accused(*announcement, from, now);
  for (const MemberUpdate& update : message.gossip) {
    if (update.subject.address == self.address) accused(update, from, now);
  }
  if (!std::holds_alternative<wire::Leave>(message.body)) meet_sender(message, now);
  if (message.coordinate && !std::holds_alternative<wire::Ack>(message.body)) {
    coordinates.learn(from, *message.coordinate, now);
  }
  if (!message.embedded_state.empty()) actions.push_back(StateReceived{message.sender, message.embedded_state});
  for (const MemberUpdate& update : message.gossip) {
    if (update.subject.address != self.address) apply(update, Source::kGossip, from, now);
  }
  on_body(message, now);
  if (confirmed_now) note_confirmed(*std::exchange(confirmed_now, std::nullopt), now);
}

// The sender is not a peer of this node, but another node's configuration may name this one.
void Membership::Parts::on_unrelated(const ClusterMessage& message, MonoTime now) {
  ++counters.unrelated_senders;
  const NodeAddress& from = message.sender.address;
  if (Member* member = table.find(from); member != nullptr && !member->named) {
    note(true, fmt::format("seed {} is the {} {} of datacenter \"{}\", which this node has no relation to",
                           wire::to_string(from), wire::name(message.sender.role), message.sender.name,
                           message.sender.datacenter));
    remove_unconfirmed(*member, true, now);
  }
  if (const auto* probe = std::get_if<wire::Probe>(&message.body); probe != nullptr && probe->target == self.address) {
    send(from, wire::Ack{.sequence = probe->sequence, .rtt_us = 0});
  } else if (std::holds_alternative<wire::Join>(message.body)) {
    send(from, wire::Ack{});
  }
}

// Every message proves that its sender was alive when it sent it (AD29-2).
void Membership::Parts::meet_sender(const ClusterMessage& message, MonoTime now) {
  const wire::NodeIdentity& sender = message.sender;
  Member* member = table.find(sender.address);
  if (member != nullptr) member = replace_if_other(*member, sender, message.incarnation, now);
  if (member == nullptr) {
    const auto stone = tombstones.find(sender.address, now);
    if (stone && message.incarnation <= *stone && !config.mutations.forget_incarnation_check) {
      announce(sender.address, {UpdateKind::kDead, sender, *stone, self.address});
      return;
    }
  }
  const auto held = member == nullptr ? std::nullopt : table.held(sender.address);
  switch (judge_contact(held, message.incarnation, config.mutations)) {
    case Contact::kNothing:
      return;
    case Contact::kMeet:
      meet(member, sender, message.incarnation, now);
      return;
    case Contact::kFresher:
      table.set_incarnation(*member, message.incarnation);
      return;
    case Contact::kRefute:
      refute(*member, message.incarnation, now);
      pass_on({UpdateKind::kAlive, sender, message.incarnation, sender.address}, now);
      return;
    case Contact::kRecover:
      recover(*member, message.incarnation, now);
      pass_on({UpdateKind::kAlive, sender, message.incarnation, sender.address}, now);
      sync_with(*member);  // it may know of others that this node holds dead
      return;
    case Contact::kAccused:
      if (!is_answered(message.body)) announce(sender.address, accusation_of(*member));
      return;
  }
}

void Membership::Parts::apply(const MemberUpdate& update, Source source, const NodeAddress& via, MonoTime now) {
  const NodeAddress& subject = update.subject.address;
  if (subject == self.address) {
    accused(update, via, now);
    return;
  }
  if (!wire::related(self, update.subject)) {
    ++counters.unrelated_updates;
    return;
  }
  Member* member = table.find(subject);
  if (member != nullptr && update.incarnation > member->incarnation) {
    member = replace_if_other(*member, update.subject, update.incarnation, now);
  }
  const bool tells_of_life = update.kind != UpdateKind::kDead && update.kind != UpdateKind::kLeave;
  if (member == nullptr && tells_of_life && !config.mutations.resurrect_by_old_gossip) {
    const auto stone = tombstones.find(subject, now);
    if (stone && update.incarnation <= *stone && !config.mutations.forget_incarnation_check) {
      ++counters.stale_updates;
      return;
    }
  }
  const auto held = member == nullptr ? std::nullopt : table.held(subject);
  carry_out(judge(held, update.kind, update.incarnation, source, config.mutations), member, update, source, via, now);
}

void Membership::Parts::carry_out(Verdict verdict, Member* member, const MemberUpdate& update, Source source,
                                  const NodeAddress& via, MonoTime now) {
  const bool gossiped = source == Source::kGossip;
  const NodeAddress& accuser = gossiped ? update.origin : via;
  switch (verdict) {
    case Verdict::kStale:
      ++counters.stale_updates;
      // Another node holds a member alive that this one holds dead: message that member, and it will refute.
      if (!gossiped && member != nullptr && member->state == MemberState::kDead &&
          (update.kind == UpdateKind::kAlive || update.kind == UpdateKind::kSuspect)) {
        announce(member->address(), accusation_of(*member));
      }
      return;
    case Verdict::kKnown:
      if (update.kind == UpdateKind::kJoin) gossip.heard_again(update, transmissions());
      return;
    case Verdict::kLearn:
      if (learn(update.subject, update.incarnation, true, now) != nullptr && gossiped) pass_on(update, now);
      return;
    case Verdict::kFresher:
      if (!member->named) table.set_identity(*member, update.subject);
      table.set_incarnation(*member, update.incarnation);
      if (!is_gone(member->state)) pass_on(update, now);
      return;
    case Verdict::kConfirm:
      if (confirm(*member, update.incarnation, accuser, now) && gossiped) pass_on(update, now);
      return;
    case Verdict::kSuspect:
    case Verdict::kDoubt:
      hear_suspicion(verdict, *member, update, accuser, now);
      return;
    case Verdict::kDie:
      die(*member, update.incarnation, true, now);
      pass_on(update, now);
      return;
    case Verdict::kLeave:
      leave(*member, update.incarnation, now);
      pass_on(update, now);
      return;
    case Verdict::kForget:
      remove_unconfirmed(*member, true, now);
      [[fallthrough]];
    case Verdict::kBury:
      if (tombstones.raise(update.subject.address, update.incarnation, now) && gossiped) pass_on(update, now);
      return;
    case Verdict::kRefute:
      refute(*member, update.incarnation, now);
      pass_on(update, now);
      return;
    case Verdict::kRecover:
      recover(*member, update.incarnation, now);
      pass_on(update, now);
      return;
  }
}

// A suspicion, or a death that is treated as one.
void Membership::Parts::hear_suspicion(Verdict verdict, Member& member, const MemberUpdate& update,
                                       const NodeAddress& accuser, MonoTime now) {
  const wire::NodeRole role = member.identity.role;
  Accusation accusation{.node = member.address(), .role = role, .incarnation = update.incarnation, .from = accuser};
  accusation.timeout = verdict == Verdict::kDoubt ? config.death_doubt
                                                  : coordinates.suspicion_timeout(member.address(), role, load(), now);
  if (!suspect(member, accusation, now)) return;
  ++counters.suspicions_heard;
  MemberUpdate suspicion = update;
  suspicion.kind = UpdateKind::kSuspect;
  suspicion.origin = accuser;
  pass_on(std::move(suspicion), now);
  if (verdict == Verdict::kDoubt) {
    ++counters.deaths_doubted;
    member.death_rumoured = true;
    announce(member.address(), accusation_of(member));
    look_for_oneself(member, now);
  } else {
    second_opinion(member, now);
  }
}

void Membership::Parts::on_body(const ClusterMessage& message, MonoTime now) {
  const NodeAddress& from = message.sender.address;
  std::visit(
      Overloaded{
          [&](const wire::Probe& probe) { on_probe(from, probe); },
          [&](const wire::Ack& ack) { on_ack(message, ack, now); },
          [&](const wire::PingReq& request) { on_ping_req(from, request, now); },
          [&](const wire::IndirectAck& ack) { on_indirect_ack(ack); },
          [&](const wire::Nack& nack) { on_nack(from, nack, now); },
          [&](const wire::Join&) { send(from, wire::Ack{}); },
          [&](const wire::Leave&) {
            apply({UpdateKind::kLeave, message.sender, message.incarnation, from}, Source::kGossip, from, now);
          },
          [&](const wire::Announce& announce) {
            if (announce.update.subject.address != self.address) {
              apply(announce.update, Source::kGossip, from, now);
            }
          },
          [&](const wire::SyncRequest& request) { on_sync_request(message.sender, request); },
          [&](const wire::SyncPage& page) { on_sync_page(page, from, now); }, [](const auto&) {},  // an election's
      },
      message.body);
}

void Membership::Parts::on_probe(const NodeAddress& from, const wire::Probe& probe) {
  if (probe.target != self.address) {
    ++counters.misdirected_probes;
    return;
  }
  const Member* member = table.find(from);
  send(from, wire::Ack{.sequence = probe.sequence, .rtt_us = member == nullptr ? 0 : member->rtt_us});
}

void Membership::Parts::on_sync_request(const wire::NodeIdentity& asker, const wire::SyncRequest& request) {
  const Member* member = table.find(asker.address);
  if (member == nullptr || !is_present(member->state)) return;  // it will refute first
  if (request.digest == digest_for(asker)) {
    ++counters.sync_requests_equal;
  } else if (sync_sessions.open(member->address())) {
    ++counters.sync_requests_answered;
  } else {
    ++counters.sync_requests_refused;
  }
}

void Membership::Parts::on_sync_page(const wire::SyncPage& page, const NodeAddress& from, MonoTime now) {
  for (const MemberUpdate& update : page.members) apply(update, Source::kSync, from, now);
}

}  // namespace hyperscale::membership

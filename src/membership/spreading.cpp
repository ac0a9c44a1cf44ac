// How news travels: pushed in turns while there is any, repaired by comparing tables now and then, and carried over a
// healed partition by speaking to the dead and to seeds.

#include "membership/membership_parts.h"
#include "wire/cluster_codec.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace hyperscale::membership {

using wire::MemberUpdate;
using wire::NodeIdentity;
using wire::UpdateKind;

namespace {

UpdateKind kind_for_page(MemberState state) {
  switch (state) {
    case MemberState::kUnconfirmed:
    case MemberState::kAlive:
      return UpdateKind::kAlive;
    case MemberState::kSuspect:
      return UpdateKind::kSuspect;
    case MemberState::kDead:
      return UpdateKind::kDead;
    case MemberState::kLeft:
      return UpdateKind::kLeave;
  }
  UNREACHABLE("member state {}", static_cast<int>(state));
}

}  // namespace

void Membership::Parts::pass_on(MemberUpdate update, MonoTime now) {
  if (update.subject.name.empty()) return;  // only an address is known: nothing to spread
  const auto given_up = gossip.add(std::move(update), now);
  if (!given_up) return;
  ++counters.gossip_dropped;
  if (std::has_single_bit(counters.gossip_dropped)) {
    note(true, fmt::format("gossip buffer is full: {} updates dropped", counters.gossip_dropped));
  }
}

void Membership::Parts::turn(MonoTime now) {
  earliest_turn = now + config.gossip_interval;
  push_news(now);
  push_pages();
  introduce_due(now);
}

void Membership::Parts::push_news(MonoTime now) {
  if (gossip.size() == 0 || table.present_count() == 0) return;
  bool told = false;
  for (std::size_t i = 0; i < config.gossip_fanout; ++i) {
    const Member& peer = *table.random_present(prng);
    auto first = gossip.pick(peer.identity,
                             {.bytes = config.gossip_bytes_max, .updates = 1, .transmissions_max = transmissions()});
    if (first.empty()) continue;
    told = true;
    ++counters.gossip_updates_sent;
    counters.gossip_bytes_sent += wire::encoded_size_bound(first.front());
    announce(peer.address(), std::move(first.front()));
  }
  if (!told) gossip.drop_older_than(now - config.gossip_kept);
}

void Membership::Parts::push_pages() {
  for (std::size_t sent = 0; sent < config.sync_pages_per_turn && !sync_sessions.empty();) {
    SyncSessions::Session& session = sync_sessions.front();
    const Member* asker = table.find(session.asker);
    if (asker == nullptr || !asker->named) {
      sync_sessions.finish_front();
      continue;
    }
    wire::SyncPage page = next_page(session, asker->identity);
    if (page.members.empty()) {
      sync_sessions.finish_front();
      continue;
    }
    sync_sessions.rotate();
    ++counters.sync_pages_sent;
    ++sent;
    send(asker->address(), std::move(page));
  }
}

// Unconfirmed peers are left out: this node has no evidence of its own for them.
wire::SyncPage Membership::Parts::next_page(SyncSessions::Session& session, const NodeIdentity& asker) const {
  wire::SyncPage page;
  const std::size_t envelope = wire::encoded_size_bound(make_bare(wire::SyncPage{}));
  std::size_t room = config.message_bytes_max > envelope ? config.message_bytes_max - envelope : 0;
  const auto& all = table.all();
  auto entry = session.sent_until ? all.upper_bound(*session.sent_until) : all.begin();
  for (; entry != all.end() && page.members.size() < wire::kGossipUpdatesMax; ++entry) {
    const Member& member = entry->second;
    session.sent_until = member.address();
    if (!member.named || member.state == MemberState::kUnconfirmed || member.address() == asker.address) continue;
    if (!wire::related(member.identity, asker)) continue;
    MemberUpdate update{.kind = kind_for_page(member.state),
                        .subject = member.identity,
                        .incarnation = member.incarnation,
                        .origin = self.address};
    const std::size_t bytes = wire::encoded_size_bound(update);
    if (bytes > room) {
      session.sent_until = entry == all.begin() ? std::nullopt : std::optional(std::prev(entry)->first);
      break;
    }
    room -= bytes;
    page.members.push_back(std::move(update));
  }
  return page;
}

std::uint64_t Membership::Parts::digest_for(const NodeIdentity& peer) const {
  const std::uint64_t digest = table.digest_for(peer);
  return wire::related(self, peer) ? digest ^ digest_of(self.address, incarnation) : digest;
}

void Membership::Parts::sync_with(const Member& member) {
  ++counters.sync_requests_sent;
  send(member.address(), wire::SyncRequest{.digest = digest_for(member.identity)});
}

void Membership::Parts::sync_turn(MonoTime now) {
  if (early_syncs_left > 0 && table.present_count() > 0) --early_syncs_left;
  const Duration spread = config.sync_interval / 4;
  const Duration pause = early_syncs_left > 0
                             ? config.probe_interval
                             : prng.between(config.sync_interval - spread, config.sync_interval + spread);
  next_sync = now + pause;
  if (const Member* peer = table.random_present(prng)) sync_with(*peer);
  // Two partitions that hold each other dead merge again only because members keep sending to dead ones.
  const Member* lost = table.random_gone(prng);
  if (lost != nullptr && lost->state == MemberState::kDead) sync_with(*lost);
  if (early_syncs_left == 0 || table.present_count() == 0) contact_seeds(1);
}

void Membership::Parts::contact_seeds(std::size_t seeds) {
  if (config.seeds.empty()) return;
  const std::size_t first = prng.below(config.seeds.size());
  for (std::size_t i = 0; i < config.seeds.size() && seeds > 0; ++i) {
    const wire::NodeAddress& address = config.seeds[(first + i) % config.seeds.size()].address;
    const Member* member = table.find(address);
    if (member != nullptr && is_present(member->state)) continue;
    send(address, wire::Join{});
    ++counters.joins_sent;
    --seeds;
  }
}

}  // namespace hyperscale::membership

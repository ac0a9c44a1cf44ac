#include "membership/membership_parts.h"
#include "membership/message_budget.h"
#include "wire/cluster_codec.h"

#include <utility>

namespace hyperscale::membership {

using wire::ClusterBody;
using wire::ClusterMessage;
using wire::MemberUpdate;
using wire::NodeAddress;

std::uint32_t Membership::Parts::transmissions() const {
  return transmissions_of(config.retransmit_factor, table.present_count() + 1);
}

ClusterMessage Membership::Parts::make_bare(ClusterBody body) const {
  ClusterMessage message;
  message.sender = self;
  message.incarnation = incarnation;
  message.body = std::move(body);
  return message;
}

// A message to a member whose kind is not known yet carries no gossip about others.
ClusterMessage Membership::Parts::make(ClusterBody body, const Member* to) {
  ClusterMessage message = make_bare(std::move(body));
  if (carries_state(message.body)) {
    message.coordinate = coordinates.local();
    message.embedded_state = state;
    if (!state.empty() && !fits(message, config)) {
      message.embedded_state = {};
      ++counters.states_left_out;
    }
  }
  if (to == nullptr || !to->named || std::holds_alternative<wire::SyncPage>(message.body)) return message;

  std::size_t room = gossip_room(message, config);
  const auto take_room = [&](const MemberUpdate& update) {
    const std::size_t bytes = wire::encoded_size_bound(update);
    if (bytes > room) return false;
    room -= bytes;
    counters.gossip_bytes_sent += bytes;
    ++counters.gossip_updates_sent;
    return true;
  };
  // Lifeguard's buddy: who is suspected hears it first, and from everyone, so that it can refute at once.
  std::vector<MemberUpdate> updates;
  if (to->state == MemberState::kSuspect || is_gone(to->state)) {
    MemberUpdate accusation = accusation_of(*to);
    if (take_room(accusation)) updates.push_back(std::move(accusation));
  }
  if (gossip.size() > 0) {
    const std::size_t slots = wire::kGossipUpdatesMax - updates.size();
    for (MemberUpdate& update :
         gossip.pick(to->identity, {.bytes = room, .updates = slots, .transmissions_max = transmissions()})) {
      take_room(update);
      updates.push_back(std::move(update));
    }
  }
  message.gossip = std::move(updates);
  return message;
}

void Membership::Parts::send(const NodeAddress& to, ClusterBody body) {
  actions.push_back(Send{.to = to, .message = make(std::move(body), table.find(to))});
}

void Membership::Parts::announce(const NodeAddress& to, MemberUpdate update) {
  send(to, wire::Announce{.update = std::move(update)});
}

}  // namespace hyperscale::membership

#include "membership/message_budget.h"

#include "membership/gossip_buffer.h"

#include <algorithm>
#include <variant>

namespace hyperscale::membership {
namespace {

constexpr std::size_t kEnvelopeBytes = 96;  // version, incarnation, addresses, tags and lengths
constexpr std::size_t kCoordinateBytes = 64;
constexpr std::size_t kSmallBodyBytes = 64;

std::size_t body_bytes(const wire::ClusterBody& body) {
  if (const auto* announce = std::get_if<wire::Announce>(&body)) return 8 + update_bytes_bound(announce->update);
  if (const auto* page = std::get_if<wire::SyncPage>(&body)) {
    std::size_t bytes = 8;
    for (const wire::MemberUpdate& member : page->members) bytes += update_bytes_bound(member);
    return bytes;
  }
  return kSmallBodyBytes;
}

std::size_t bytes_without_gossip(const wire::ClusterMessage& message) {
  return kEnvelopeBytes + message.sender.name.size() + message.sender.datacenter.size() + body_bytes(message.body) +
         (message.coordinate ? kCoordinateBytes : 0) + message.embedded_state.size();
}

}  // namespace

bool carries_state(const wire::ClusterBody& body) {
  return std::holds_alternative<wire::Probe>(body) || std::holds_alternative<wire::Ack>(body) ||
         std::holds_alternative<wire::Join>(body);
}

std::size_t gossip_room(const wire::ClusterMessage& message, const Config& config) {
  const std::size_t used = bytes_without_gossip(message);
  if (used >= config.message_bytes_max) return 0;
  return std::min(config.gossip_bytes_max, config.message_bytes_max - used);
}

bool fits(const wire::ClusterMessage& message, const Config& config) {
  return bytes_without_gossip(message) <= config.message_bytes_max;
}

}  // namespace hyperscale::membership

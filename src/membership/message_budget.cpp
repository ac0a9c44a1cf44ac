#include "membership/message_budget.h"

#include "wire/cluster_codec.h"

#include <algorithm>
#include <variant>

namespace hyperscale::membership {

bool carries_state(const wire::ClusterBody& body) {
  return std::holds_alternative<wire::Probe>(body) || std::holds_alternative<wire::Ack>(body) ||
         std::holds_alternative<wire::Join>(body);
}

std::size_t gossip_room(const wire::ClusterMessage& message, const Config& config) {
  const std::size_t used = wire::encoded_size_bound(message);
  if (used >= config.message_bytes_max) return 0;
  return std::min(config.gossip_bytes_max, config.message_bytes_max - used);
}

bool fits(const wire::ClusterMessage& message, const Config& config) {
  return message.embedded_state.size() <= wire::kEmbeddedStateBytesMax &&
         wire::encoded_size_bound(message) <= config.message_bytes_max;
}

}  // namespace hyperscale::membership

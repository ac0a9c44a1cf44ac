// Sizes of encoded messages, counted field by field without encoding anything.
#include "base/check.h"
#include "wire/cluster_codec.h"
#include "wire/proto_fields.h"

#include <bit>

namespace hyperscale::wire {
namespace {

constexpr std::size_t kTagBytes = 1;      // of a field number up to 15
constexpr std::size_t kBodyTagBytes = 2;  // of a field number from 16
constexpr std::size_t kFloatBytes = 4;

constexpr std::size_t varint_bytes(std::uint64_t value) {
  return value == 0 ? 1 : (static_cast<std::size_t>(std::bit_width(value)) + 6) / 7;
}
// A number that is left out when it is zero.
constexpr std::size_t number(std::uint64_t value) {
  return value == 0 ? 0 : kTagBytes + varint_bytes(value);
}
constexpr std::size_t required_number(std::uint64_t value) {
  return kTagBytes + varint_bytes(value);
}
constexpr std::size_t nested(std::size_t content) {
  return kTagBytes + varint_bytes(content) + content;
}
constexpr std::size_t text(std::size_t size) {
  return size == 0 ? 0 : nested(size);
}

std::size_t address(const NodeAddress& address) {
  const std::size_t ip = is_mapped_v4(address) ? 4 : 16;
  return nested(text(ip) + number(address.port));
}

std::size_t identity(const NodeIdentity& identity) {
  return nested(text(identity.name.size()) + number(static_cast<std::uint64_t>(identity.role)) +
                text(identity.datacenter.size()) + address(identity.address) + number(identity.tcp_port));
}

// A float may be left out when it is zero; that it is not is the safe guess.
constexpr std::size_t kCoordinateBytesMax =
    nested(nested(kCoordinateDimensions * kFloatBytes) + 3 * (kTagBytes + kFloatBytes) + required_number(UINT32_MAX));

std::size_t rank(const CandidateRank& rank) {
  return rank == CandidateRank{} ? 0 : nested(number(rank.health_score) + number(rank.priority));
}

struct BodySize {
  std::size_t operator()(const SyncPage& body) const {
    std::size_t size = 0;
    for (const MemberUpdate& member : body.members) size += encoded_size_bound(member);
    return size;
  }
  std::size_t operator()(const Announce& body) const { return encoded_size_bound(body.update); }
  std::size_t operator()(const SyncRequest& body) const { return number(body.digest); }
  std::size_t operator()(const Ack& body) const { return required_number(body.sequence) + number(body.rtt_us); }
  std::size_t operator()(const LeaderAnnounce& body) const { return required_number(body.term.value()); }
  std::size_t operator()(const LeaderHeartbeat& body) const {
    return required_number(body.term.value()) + number(body.sequence) + rank(body.rank);
  }
  std::size_t operator()(const LeaderHeartbeatAck& body) const {
    return required_number(body.term.value()) + number(body.sequence);
  }
  std::size_t operator()(const auto& body) const {
    if constexpr (requires { body.target; }) {
      return required_number(body.sequence) + address(body.target);
    } else if constexpr (requires { body.granted; }) {
      return required_number(body.term.value()) + required_number(1);
    } else if constexpr (requires { body.rank; }) {
      return required_number(body.term.value()) + rank(body.rank);
    } else {
      return 0;  // join and leave
    }
  }
};

}  // namespace

std::size_t encoded_size_bound(const MemberUpdate& update) {
  const std::size_t origin = update.origin == NodeAddress{} ? 0 : address(update.origin);
  return nested(number(static_cast<std::uint64_t>(update.kind)) + identity(update.subject) +
                number(update.incarnation.value()) + origin);
}

std::size_t encoded_size_bound(const ClusterMessage& message) {
  // A page that is filled later on may need the longest length that a datagram allows.
  const std::size_t body_length = varint_bytes(kClusterMessageBytesMax);
  std::size_t size = number(message.version.major) + number(message.version.minor) + identity(message.sender) +
                     number(message.incarnation.value()) + text(message.embedded_state.size()) + kBodyTagBytes +
                     body_length + std::visit(BodySize{}, message.body);
  if (message.coordinate) size += kCoordinateBytesMax;
  for (const MemberUpdate& update : message.gossip) size += encoded_size_bound(update);
  return size;
}

std::size_t fit_datagram(ClusterMessage& message) {
  std::size_t size = encoded_size_bound(message);
  std::size_t dropped = 0;
  for (; size > kClusterMessageBytesMax && !message.gossip.empty(); ++dropped) {
    size -= encoded_size_bound(message.gossip.back());
    message.gossip.pop_back();
  }
  if (size > kClusterMessageBytesMax) message.embedded_state = {};
  return dropped;
}

}  // namespace hyperscale::wire

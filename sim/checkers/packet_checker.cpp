#include "sim/checkers/packet_checker.h"

#include "sim/engine/trace.h"

#include <fmt/format.h>

namespace hyperscale::sim {

Finding PacketChecker::size(HostId from, ByteView packet) const {
  if (packet.size() <= mtu_bytes_) return std::nullopt;
  return fmt::format("machine {} sends {} bytes, {} fit", from, packet.size(), mtu_bytes_);
}

// The same sealed bytes sent to several peers reveal nothing; other content under the same pair does.
Finding PacketChecker::nonce(HostId from, ByteView packet) {
  if (packet.size() <= head_bytes_)
    return fmt::format("machine {} sends {} bytes, which is no sealed datagram", from, packet.size());
  const std::uint64_t pair = hash_of(packet.subspan(1, head_bytes_ - 1));
  const std::uint64_t content = hash_of(packet.subspan(head_bytes_));
  const auto [seen, fresh] = content_of_pair_.emplace(pair, content);
  if (fresh || seen->second == content) return std::nullopt;
  return fmt::format("machine {} seals a second datagram with a salt and nonce that were used before", from);
}

}  // namespace hyperscale::sim

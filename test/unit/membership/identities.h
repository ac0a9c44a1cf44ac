// Nodes to test with: g1..., m1..., w1... by number, each with an address of its own. Plain functions.
#pragma once

#include "wire/cluster_message.h"

#include <cstdint>
#include <string>

namespace hyperscale::membership::test {

inline wire::NodeIdentity node_of(wire::NodeRole role, std::uint16_t number, std::string datacenter = "east") {
  const char letter = "gmw"[static_cast<int>(role) - 1];
  wire::NodeIdentity identity;
  identity.name = letter + std::to_string(number) + "-" + datacenter;
  identity.role = role;
  identity.datacenter = role == wire::NodeRole::kGate ? "" : std::move(datacenter);
  std::uint8_t place = 0;
  for (const char c : identity.datacenter) place = static_cast<std::uint8_t>(place * 31 + c);
  identity.address = wire::address_v4(10, static_cast<std::uint8_t>(role), place, 1, number);
  identity.tcp_port = 7000;
  return identity;
}
inline std::string kind(const wire::NodeIdentity& node) {
  return std::string(name(node.role));
}
inline wire::NodeIdentity gate(std::uint16_t number) {
  return node_of(wire::NodeRole::kGate, number);
}
inline wire::NodeIdentity manager(std::uint16_t number, std::string datacenter = "east") {
  return node_of(wire::NodeRole::kManager, number, std::move(datacenter));
}
inline wire::NodeIdentity worker(std::uint16_t number, std::string datacenter = "east") {
  return node_of(wire::NodeRole::kWorker, number, std::move(datacenter));
}

inline wire::MemberUpdate update(wire::UpdateKind kind, const wire::NodeIdentity& subject, std::uint64_t incarnation,
                                 const wire::NodeIdentity& origin) {
  return {.kind = kind, .subject = subject, .incarnation = wire::Incarnation(incarnation), .origin = origin.address};
}

}  // namespace hyperscale::membership::test

// Identity of a node: name, role, datacenter and address, as in every message of the cluster.
//
// Plain values; any thread may use them. A member of the cluster is identified by its address: a process that restarts
// at the same address is the same member with a higher incarnation.
#pragma once

#include "base/result.h"
#include "base/strong_type.h"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::wire {

inline constexpr std::size_t kNodeNameBytesMax = 64;
inline constexpr std::size_t kDatacenterBytesMax = 32;

using Incarnation = StrongId<struct IncarnationTag>;
using Term = StrongId<struct TermTag>;

enum class NodeRole : std::uint8_t { kGate = 1, kManager = 2, kWorker = 3 };

std::string_view name(NodeRole role);  // "gate", "manager", "worker"
Result<NodeRole> parse_node_role(std::string_view text);

// The UDP address that a node sends from. IPv4 is kept in its IPv6-mapped form.
struct NodeAddress {
  std::array<std::uint8_t, 16> ip = {};
  std::uint16_t port = 0;

  auto operator<=>(const NodeAddress&) const = default;
};

inline constexpr std::array<std::uint8_t, 12> kMappedV4Prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

// An IPv4 address is encoded as four bytes.
bool is_mapped_v4(const NodeAddress& address);
NodeAddress address_v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d, std::uint16_t port);
// "127.0.0.1:7100", "[::1]:7100"; names are not resolved.
Result<NodeAddress> parse_node_address(std::string_view text);
std::string to_string(const NodeAddress& address);

struct NodeIdentity {
  std::string name;  // unique in the cluster, at most kNodeNameBytesMax
  NodeRole role = NodeRole::kWorker;
  std::string datacenter;  // at most kDatacenterBytesMax; empty for a gate that belongs to none
  NodeAddress address;
  std::uint16_t tcp_port = 0;  // port of the framed transport; 0: none

  bool operator==(const NodeIdentity&) const = default;
};

// Whether two nodes watch each other: gates among themselves, gates and managers everywhere, managers and workers
// within their datacenter. They gossip only about such members.
bool related(const NodeIdentity& a, const NodeIdentity& b);

}  // namespace hyperscale::wire

// How an unconfirmed peer is confirmed, by its role (AD-35 part A.3): how long to wait for it, whether to probe it, how
// far this node's own load may extend the wait. Plain values and pure functions.
//
// A wrong role is safe: it selects a less fitting row and nothing else.
#pragma once

#include "base/time.h"
#include "wire/node_identity.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::membership {

struct RoleStrategy {
  Duration passive_timeout = {};
  bool proactive_confirmation = false;
  std::uint32_t confirmation_attempts = 0;
  Duration attempt_interval = {};  // also how long one attempt waits for its ack
  bool latency_aware = false;      // suspicion timeouts follow the coordinates
  double load_multiplier_max = 1;

  // The load multiplier that counts for this role.
  double capped_load(double health_multiplier) const;
  // How long to wait for an unconfirmed peer before it is probed, or removed if its role is never probed.
  Duration passive_wait(double health_multiplier) const;
  // ... and until it is removed.
  Duration removal_after(double health_multiplier) const;
};

struct RoleStrategies {
  RoleStrategy gate;
  RoleStrategy manager;
  RoleStrategy worker;

  // Defaults belong to a probe interval of one second.
  static RoleStrategies scaled_to(Duration probe_interval);
  const RoleStrategy& of(wire::NodeRole role) const;
};

// How to derive a role where gossip does not carry it: the first matching rule, in this order of kinds.
struct RoleRules {
  struct Ports {
    std::uint16_t first = 0;
    std::uint16_t last = 0;
    wire::NodeRole role = wire::NodeRole::kWorker;
  };
  struct NamePart {
    std::string part;  // of the host name
    wire::NodeRole role = wire::NodeRole::kWorker;
  };
  std::vector<Ports> ports;
  std::vector<NamePart> names;
  wire::NodeRole otherwise = wire::NodeRole::kWorker;  // the most patient row
};

wire::NodeRole role_of(std::optional<wire::NodeRole> gossiped, std::uint16_t port, std::string_view host,
                       const RoleRules& rules);

}  // namespace hyperscale::membership

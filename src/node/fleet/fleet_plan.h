// FleetPlan: a whole cluster on this machine, as data: its nodes, their ports and seed nodes, and their configuration
// files. Pure; any thread.
#pragma once

#include "base/time.h"
#include "wire/node_identity.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::node {

struct FleetShape {
  std::uint32_t gates = 1;
  std::uint32_t datacenters = 1;
  std::uint32_t managers = 3;  // of each datacenter
  std::uint32_t workers = 2;   // of each datacenter
  Duration probe_interval = 200ms;
  bool tls = false;  // certificates between nodes
};

inline constexpr std::uint32_t kFleetNodesMax = 200;
// Name and environment of every local fleet.
inline constexpr const char* kFleetName = "local";

struct FleetPorts {
  std::uint16_t cluster = 0, api = 0, metrics = 0, transport = 0;
};

struct FleetNode {
  std::string name;  // "gate-1", "dc1-manager-2"
  wire::NodeRole role = wire::NodeRole::kWorker;
  std::string datacenter;
  FleetPorts ports;
};

std::uint32_t nodes_of(const FleetShape& shape);
// REQUIRES: as many ports as nodes.
std::vector<FleetNode> plan_fleet(const FleetShape& shape, const std::vector<FleetPorts>& ports);
// The configuration of one node; its files are in `folder`, shared ones in the folder above it.
std::string node_toml(const FleetShape& shape, const std::vector<FleetNode>& nodes, const FleetNode& node,
                      const std::string& folder);

}  // namespace hyperscale::node

#include "node/fleet/fleet_plan.h"

#include "base/check.h"
#include "base/duration_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

constexpr std::size_t kSeedsMax = 6;

bool same_group(const FleetNode& a, const FleetNode& b) {
  return a.role == b.role && (a.role == wire::NodeRole::kGate || a.datacenter == b.datacenter);
}

// Gates contact gates and managers; other nodes contact the managers of their datacenter.
bool is_seed(const FleetNode& of, const FleetNode& seed) {
  if (of.role == wire::NodeRole::kGate) return seed.role != wire::NodeRole::kWorker;
  return seed.role == wire::NodeRole::kManager && seed.datacenter == of.datacenter;
}

}  // namespace

std::uint32_t nodes_of(const FleetShape& shape) {
  return shape.gates + shape.datacenters * (shape.managers + shape.workers);
}

std::vector<FleetNode> plan_fleet(const FleetShape& shape, const std::vector<FleetPorts>& ports) {
  CHECK(ports.size() == nodes_of(shape), "{} ports for {} nodes", ports.size(), nodes_of(shape));
  std::vector<FleetNode> nodes;
  const auto add = [&](std::string name, wire::NodeRole role, std::string datacenter) {
    nodes.push_back({std::move(name), role, std::move(datacenter), ports[nodes.size()]});
  };
  for (std::uint32_t i = 1; i <= shape.gates; ++i) add(fmt::format("gate-{}", i), wire::NodeRole::kGate, "global");
  for (std::uint32_t dc = 1; dc <= shape.datacenters; ++dc) {
    const std::string datacenter = fmt::format("dc{}", dc);
    for (std::uint32_t i = 1; i <= shape.managers; ++i)
      add(fmt::format("{}-manager-{}", datacenter, i), wire::NodeRole::kManager, datacenter);
    for (std::uint32_t i = 1; i <= shape.workers; ++i)
      add(fmt::format("{}-worker-{}", datacenter, i), wire::NodeRole::kWorker, datacenter);
  }
  return nodes;
}

std::string node_toml(const FleetShape& shape, const std::vector<FleetNode>& nodes, const FleetNode& node,
                      const std::string& folder) {
  std::vector<std::string> seeds;
  std::vector<std::string> voters;
  for (const FleetNode& other : nodes) {
    if (same_group(node, other)) voters.push_back(other.name);
    if (other.name != node.name && is_seed(node, other) && seeds.size() < kSeedsMax)
      seeds.push_back(fmt::format("127.0.0.1:{}", other.ports.cluster));
  }
  const bool is_worker = node.role == wire::NodeRole::kWorker;
  std::string text = fmt::format(
      "[node]\nname = \"{}\"\nthreads = 1\nworkers = 1\n\n"
      "[api]\nlisten = \"127.0.0.1:{}\"\n\n[metrics]\nlisten = \"127.0.0.1:{}\"\n\n[transport]\nlisten = "
      "\"127.0.0.1:{}\"\n\n[admin]\nfault_injection = true\ntoken_file = \"{}/../token\"\n\n",
      node.name, node.ports.api, node.ports.metrics, node.ports.transport, folder);
  text += fmt::format(
      "[cluster]\nrole = \"{}\"\nname = \"{}\"\nenvironment = \"{}\"\ndatacenter = \"{}\"\n"
      "listen = \"127.0.0.1:{}\"\nseeds = \"{}\"\nprobe_interval = \"{}\"\nsecret_file = \"{}/../{}\"\n"
      "state_dir = \"{}/state\"\n",
      wire::name(node.role), kFleetName, kFleetName, node.datacenter, node.ports.cluster, fmt::join(seeds, ","),
      format_duration(shape.probe_interval), folder, is_worker ? "worker_secret" : "secret", folder);
  if (node.role == wire::NodeRole::kManager)
    text += fmt::format("worker_secret_file = \"{}/../worker_secret\"\n", folder);
  if (node.role != wire::NodeRole::kWorker)
    text += fmt::format("group_size = {}\nvoters = \"{}\"\n", voters.size(), fmt::join(voters, ","));
  if (shape.tls) {
    text +=
        fmt::format("tls_cert_file = \"{}/cert.pem\"\ntls_key_file = \"{}/key.pem\"\ntls_ca_file = \"{}/../ca.pem\"\n",
                    folder, folder, folder);
  }
  return text;
}

}  // namespace hyperscale::node

#include "sim/cluster/cluster_directory.h"

#include <algorithm>

namespace hyperscale::sim {
namespace {

constexpr std::uint16_t kPort = 7100;

bool labelled(const HostSpec& spec, std::string_view label) {
  return std::ranges::find(spec.labels, label) != spec.labels.end();
}

// 10.site.x.y; strangers are 192.0.2.x.
wire::NodeAddress address_of(std::uint32_t site, HostId host) {
  return wire::address_v4(10, static_cast<std::uint8_t>(site), static_cast<std::uint8_t>(host >> 8),
                          static_cast<std::uint8_t>(host), kPort);
}

wire::NodeIdentity identity_of(const HostSpec& spec, HostId host) {
  wire::NodeIdentity identity{
      .name = spec.name, .role = wire::NodeRole::kGate, .datacenter = "", .address = address_of(spec.site, host)};
  if (labelled(spec, "managers")) identity.role = wire::NodeRole::kManager;
  if (labelled(spec, "workers")) identity.role = wire::NodeRole::kWorker;
  if (identity.role != wire::NodeRole::kGate) identity.datacenter = spec.labels.back();
  return identity;
}

}  // namespace

ClusterDirectory::ClusterDirectory(const Topology& topology) {
  voters_.resize(1 + topology.datacenters);
  for (const HostSpec& spec : hosts_of(topology)) {
    const HostId host = size();
    identities_.push_back(identity_of(spec, host));
    by_address_.emplace(identities_.back().address, host);
    by_name_.emplace(spec.name, host);
    const bool votes = identities_.back().role != wire::NodeRole::kWorker;
    groups_.push_back(votes ? std::optional(spec.site) : std::nullopt);
    if (votes) voters_[spec.site].push_back(host);
  }
}

wire::NodeAddress ClusterDirectory::address(HostId host) const {
  if (host < size()) return identities_[host].address;
  return wire::address_v4(192, 0, 2, static_cast<std::uint8_t>(host), kPort);
}

HostId ClusterDirectory::host(const wire::NodeAddress& address) const {
  const auto found = by_address_.find(address);
  return found == by_address_.end() ? kStrangerFirst : found->second;
}

std::optional<HostId> ClusterDirectory::host_named(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<GroupSize> ClusterDirectory::group_sizes() const {
  std::vector<GroupSize> sizes;
  for (std::uint32_t group = 0; group < voters_.size(); ++group) {
    if (!voters_[group].empty()) sizes.push_back({.group = group, .configured = voters_[group].size()});
  }
  return sizes;
}

// A worker is not related to the gates, so they would send it no member states.
std::vector<HostId> ClusterDirectory::seeds(HostId host) const {
  std::vector<HostId> seeds;
  for (const std::vector<HostId>& group : voters_) {
    for (const HostId other : group) {
      const bool gate = identities_[other].role == wire::NodeRole::kGate;
      const bool near = identities_[other].datacenter == identities_[host].datacenter;
      if (related(host, other) && (gate || near)) seeds.push_back(other);
    }
  }
  return seeds;
}

}  // namespace hyperscale::sim

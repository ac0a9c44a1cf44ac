// ClusterDirectory: maps the machines of a virtual world to the cluster: identity and address of each, who watches
// whom, who votes with whom.
//
// Immutable after construction; machines are numbered as in their world.
#pragma once

#include "sim/checkers/settled_checker.h"
#include "sim/engine/sim_time.h"
#include "sim/scenario/scenario.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::sim {

class ClusterDirectory {
 public:
  explicit ClusterDirectory(const Topology& topology);

  std::uint32_t size() const { return static_cast<std::uint32_t>(identities_.size()); }
  const wire::NodeIdentity& identity(HostId host) const { return identities_[host]; }
  // A stranger's address if the host is not a member.
  wire::NodeAddress address(HostId host) const;
  // kStrangerFirst for an unknown address.
  HostId host(const wire::NodeAddress& address) const;
  std::optional<HostId> host_named(const std::string& name) const;

  // Gates are one group, the managers of each datacenter another; workers do not vote.
  std::optional<std::uint32_t> group(HostId host) const { return groups_[host]; }
  const std::vector<HostId>& voters(std::uint32_t group) const { return voters_[group]; }
  std::vector<GroupSize> group_sizes() const;
  bool related(HostId a, HostId b) const { return a != b && wire::related(identities_[a], identities_[b]); }

  // The machines that a joining machine contacts: the gates, and the managers of its own datacenter.
  std::vector<HostId> seeds(HostId host) const;

 private:
  std::vector<wire::NodeIdentity> identities_;
  std::vector<std::optional<std::uint32_t>> groups_;
  std::vector<std::vector<HostId>> voters_;
  std::map<wire::NodeAddress, HostId> by_address_;
  std::map<std::string, HostId> by_name_;
};

}  // namespace hyperscale::sim

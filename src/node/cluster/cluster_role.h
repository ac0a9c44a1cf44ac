// ClusterRole: a node's membership in a cluster as a role: the service on its UDP socket, its routes, the sealed method
// of the framed transport with the certificates between nodes, metrics, keys reread on a reload, and the announcement
// that it leaves before the node drains.
//
// Life and threads: role.h. Failure: make() and bind() fail with one sentence that names the key; the node shuts down
// if a vote cannot be saved.
#pragma once

#include "node/cluster/cluster_service.h"
#include "node/process/role.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::node {

class ClusterRole final : public Role {
 public:
  // `cores`: number of cores on which a worker runs workflows; 0 for other roles.
  static Result<std::unique_ptr<Role>> make(NodeParts& parts, cluster::ClusterConfig config, PeerSecurity peers,
                                            std::uint32_t cores);

  void add_routes(runtime::Router& api) override;
  std::vector<FrameMethod> frame_methods() override;
  std::optional<runtime::PeerGuard> transport_guard() override;
  Status bind(const NodeEndpoints& endpoints) override;
  void start_tasks(runtime::Supervisor& supervisor) override;
  std::string up_text() const override;
  asio::awaitable<std::string> metrics_text() override;
  void reload(const runtime::NodeConfig& config, ReloadReport& report) override;
  std::optional<PreDrainHook> pre_drain() override;

 private:
  ClusterRole(NodeParts& parts, std::shared_ptr<ClusterService> service, PeerSecurity peers);
  void warn_of_transport(const asio::ip::tcp::endpoint& transport) const;

  NodeParts& parts_;
  const std::shared_ptr<ClusterService> service_;
  const PeerSecurity peers_;
  wire::NodeAddress address_;  // set by bind()
};

}  // namespace hyperscale::node

// StateSyncService: the StateSync core on a real network. It follows the actions of the cluster's core, sends requests
// over the ClusterLink, and answers those of other nodes. It decides nothing.
//
// Life: a shared_ptr, created once the node's address is known; finish() at the end.
// Thread rule: the strand of the ClusterService that owns it.
#pragma once

#include "base/result.h"
#include "cluster/cluster_node.h"
#include "cluster/state_sync.h"
#include "node/cluster/cluster_link.h"
#include "runtime/log/log.h"
#include "runtime/task/errands.h"

#include <memory>
#include <set>

namespace hyperscale::node {

class StateSyncService : public std::enable_shared_from_this<StateSyncService> {
 public:
  StateSyncService(asio::any_io_executor strand, runtime::Log& log, std::shared_ptr<ClusterLink> link,
                   const cluster::ClusterConfig& config);

  // Passes an action of the cluster's core to the state sync.
  void follow(const cluster::ClusterNode::Action& action);
  void tick();
  MonoTime next_wake() const { return sync_.next_wake(); }
  // Refuses requests to and from these addresses (admin.fault_injection).
  void block(std::set<wire::NodeAddress> addresses) { blocked_ = std::move(addresses); }
  // Sends no more requests; returns when none is pending, or after a time limit.
  asio::awaitable<void> finish();

  // Answers the sealed request of another node with a sealed response.
  Result<SharedBytes> answer(const SharedBytes& sealed, const cluster::ClusterView& view,
                             const cluster::StateSync::SelfState& self);
  cluster::SyncView view(MonoTime now) const { return sync_.view(now); }

 private:
  void step(const cluster::StateSync::Event& event);
  static asio::awaitable<void> ask(std::shared_ptr<StateSyncService> self, cluster::StateSync::Ask ask);
  asio::awaitable<Result<wire::StateSyncResponse>> exchange(const cluster::StateSync::Ask& ask);
  Result<SharedBytes> answer_data(const cluster::FrameGate::Asked& asked, const cluster::ClusterView& view,
                                  const cluster::StateSync::SelfState& self);

  runtime::Log& log_;
  std::shared_ptr<ClusterLink> link_;
  std::shared_ptr<runtime::Errands> questions_;
  cluster::StateSync sync_;
  std::set<wire::NodeAddress> blocked_;
  bool stopped_ = false;
  bool refusal_logged_ = false;
};

}  // namespace hyperscale::node

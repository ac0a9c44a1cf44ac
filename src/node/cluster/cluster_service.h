// ClusterService: a ClusterNode on a real network: one UDP socket, the vote file, the clocks. It decides nothing.
//
// Life: constructor, bind(), then serve() as a supervised task until stop; leave() before that announces the leave.
// The core's actions also drive the state sync (state_sync_service.h), which runs on the same strand.
// Thread rule: every method from any thread; the core runs on the service's own strand. Failure: if a vote cannot be
// made durable, the node stops sending at once and calls `on_broken`; packets that cannot be sent are lost.
#pragma once

#include "base/result.h"
#include "cluster/cluster_node.h"
#include "cluster/frame_gate.h"
#include "cluster/loop_watch.h"
#include "cluster/state_sync.h"
#include "node/cluster/cluster_standing.h"
#include "node/cluster/peer_security.h"
#include "node/cluster/vote_file.h"
#include "runtime/log/log.h"
#include "runtime/metrics/metrics.h"
#include "runtime/task/stop_signal.h"
#include "worker/core_map.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::node {

namespace asio = boost::asio;
class ClusterLink;
class StateSyncService;

class ClusterService : public std::enable_shared_from_this<ClusterService> {
 public:
  struct Surroundings {
    asio::any_io_executor strand;
    runtime::Log& log;
    runtime::Metrics& metrics;
    std::function<void(std::string)> on_broken;
    PeerSecurity peers;
    std::uint32_t cores = 0;  // on which a worker runs workflows
  };

  // `votes` may be null for a node that does not vote.
  ClusterService(Surroundings surroundings, cluster::ClusterConfig config, std::unique_ptr<VoteFile> votes);
  ~ClusterService();

  // Binds the UDP socket; port 0 picks a free port. Returns the address by which other nodes know this node.
  Result<wire::NodeAddress> bind();
  void set_tcp_port(std::uint16_t port) { config_.self.tcp_port = port; }  // before serve()
  asio::awaitable<void> serve(runtime::StopToken stop);
  // Returns when the leave announcement is sent, after at most a few probe intervals.
  asio::awaitable<void> leave();

  asio::awaitable<ClusterStanding> standing();
  asio::awaitable<std::vector<membership::AuditEntry>> audit();
  // Answers the sealed request of another node with a sealed response.
  asio::awaitable<Result<SharedBytes>> answer(SharedBytes sealed);
  void rotate(wire::Keyring keys);
  void embed(SharedBytes state);
  // Packets from and to these addresses are dropped: a partition for tests and trials (admin.fault_injection).
  void block(std::set<wire::NodeAddress> addresses);

 private:
  void begin();
  void wait_for_packets();
  void read_packets();
  void hear_refusals();
  void arm_timer();
  void on_timer();
  void step(const cluster::ClusterNode::Event& event);
  bool carry_out(const cluster::ClusterNode::Action& action);
  void send(const cluster::ClusterNode::Send& action);
  bool persist(const cluster::DurableState& state);
  asio::awaitable<ClusterStanding> standing_here();
  asio::awaitable<Result<SharedBytes>> answer_here(SharedBytes sealed);
  asio::awaitable<void> leave_here();
  asio::awaitable<void> end_here();
  asio::awaitable<std::vector<membership::AuditEntry>> audit_here();

  asio::any_io_executor strand_;
  runtime::Log& log_;
  runtime::Metrics& metrics_;
  std::function<void(std::string)> on_broken_;
  cluster::ClusterConfig config_;
  std::unique_ptr<VoteFile> votes_;
  std::optional<cluster::ClusterNode> node_;
  const PeerSecurity peers_;
  worker::CoreMap cores_;
  std::shared_ptr<ClusterLink> link_;
  std::shared_ptr<StateSyncService> sync_;
  asio::ip::udp::socket socket_;
  asio::steady_timer timer_;
  asio::steady_timer left_;  // cancelled when the leave announcement is sent
  cluster::LoopWatch loop_;
  std::set<wire::NodeAddress> blocked_;
  std::uint64_t fence_ = 0;
  bool begun_ = false;
  bool broken_ = false;
  bool gone_ = false;
};

}  // namespace hyperscale::node

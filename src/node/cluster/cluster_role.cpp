#include "node/cluster/cluster_role.h"

#include "cluster/frame_gate.h"
#include "node/cluster/cluster_metrics.h"
#include "node/cluster/cluster_routes.h"
#include "node/cluster/cluster_settings.h"
#include "node/process/node_parts.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

// Limit of the leave announcement, in probe intervals.
constexpr int kGoodbyeIntervals = 5;

asio::awaitable<Result<SharedBytes>> answer(std::shared_ptr<ClusterService> service, SharedBytes sealed) {
  auto answered = co_await service->answer(std::move(sealed));
  co_return answered;
}

std::string text(const asio::ip::tcp::endpoint& endpoint) {
  const bool v6 = endpoint.address().is_v6();
  return fmt::format("{}{}{}:{}", v6 ? "[" : "", endpoint.address().to_string(), v6 ? "]" : "", endpoint.port());
}

}  // namespace

Result<std::unique_ptr<Role>> ClusterRole::make(NodeParts& parts, cluster::ClusterConfig config, PeerSecurity peers,
                                                std::uint32_t cores) {
  std::unique_ptr<VoteFile> votes;
  if (const std::string folder = parts.current()->cluster.state_dir; !folder.empty()) {
    auto opened = VoteFile::open(folder);
    if (!opened) return fail(opened.error());
    votes = std::move(*opened);
  }
  auto service = std::make_shared<ClusterService>(
      ClusterService::Surroundings{.strand = parts.loops.make_strand(),
                                   .log = *parts.log,
                                   .metrics = parts.metrics,
                                   .on_broken = [&parts](const std::string& why) { parts.request_shutdown(why); },
                                   .peers = peers,
                                   .cores = cores},
      std::move(config), std::move(votes));
  return std::unique_ptr<Role>(new ClusterRole(parts, std::move(service), std::move(peers)));
}

ClusterRole::ClusterRole(NodeParts& parts, std::shared_ptr<ClusterService> service, PeerSecurity peers)
    : parts_(parts), service_(std::move(service)), peers_(std::move(peers)) {}

void ClusterRole::add_routes(runtime::Router& api) {
  add_cluster_routes(api, service_, [this] { return parts_.current()->admin.fault_injection; });
}

std::vector<FrameMethod> ClusterRole::frame_methods() {
  return {{.name = std::string(cluster::kClusterMethod),
           .handler = [service = service_](wire::RequestPayload request, runtime::CancelToken) {
             return answer(service, std::move(request.body));
           }}};
}

std::optional<runtime::PeerGuard> ClusterRole::transport_guard() {
  return acceptor_guard(peers_, std::make_shared<RefusalLog>(*parts_.log));
}

Status ClusterRole::bind(const NodeEndpoints& endpoints) {
  const auto bound = service_->bind();
  if (!bound) return fail(bound.error());
  address_ = *bound;
  service_->set_tcp_port(endpoints.transport.port());
  warn_of_transport(endpoints.transport);
  return {};
}

void ClusterRole::warn_of_transport(const asio::ip::tcp::endpoint& endpoint) const {
  const asio::ip::address transport = endpoint.address();
  const asio::ip::address_v6 known(address_.ip);
  const asio::ip::address cluster =
      known.is_v4_mapped() ? asio::ip::address(asio::ip::make_address_v4(asio::ip::v4_mapped, known)) : known;
  if (!peers_.has_tls() && !transport.is_loopback()) {
    parts_.log->warn("cluster",
                     "transport.listen {} is reachable by others and without TLS: only what nodes say to each other is "
                     "sealed; set cluster.tls_cert_file, cluster.tls_key_file and cluster.tls_ca_file",
                     text(endpoint));
  }
  if (!transport.is_unspecified() && transport != cluster) {
    parts_.log->warn("cluster", "others look for this node's framed transport at {}, and transport.listen is {}",
                     cluster.to_string(), text(endpoint));
  }
}

void ClusterRole::start_tasks(runtime::Supervisor& supervisor) {
  supervisor.start(
      {.name = "cluster", .service = "membership", .body = [this] { return service_->serve(parts_.stop.token()); }});
}

std::string ClusterRole::up_text() const {
  return fmt::format("{}={}", parts_.current()->cluster.role, to_string(address_));
}

asio::awaitable<std::string> ClusterRole::metrics_text() {
  const ClusterStanding standing = co_await service_->standing();
  co_return cluster_metrics(standing);
}

// Key files may have changed although the configuration has not.
void ClusterRole::reload(const runtime::NodeConfig& config, ReloadReport& report) {
  if (config.cluster.secret_file.empty()) return;
  auto keys = read_keyring(config.cluster);
  if (!keys) {
    report.errors.push_back(keys.error().context);
    parts_.log->error("config", "kept the running secrets: {}", keys.error().context);
    return;
  }
  service_->rotate(std::move(*keys));
  parts_.log->info("config", "read the secrets of the cluster again");
}

std::optional<PreDrainHook> ClusterRole::pre_drain() {
  return PreDrainHook{.name = "leaving the cluster",
                      .deadline = kGoodbyeIntervals * parts_.current()->cluster.probe_interval,
                      .run = [service = service_] { return service->leave(); }};
}

}  // namespace hyperscale::node

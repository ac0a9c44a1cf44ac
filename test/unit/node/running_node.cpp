#include "running_node.h"

#include <utility>

#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

constexpr std::string_view kTestToken = "a token for tests";

}  // namespace

runtime::NodeConfig test_config(unsigned threads) {
  constexpr std::uint32_t kPlenty = 100'000;
  runtime::NodeConfig config;
  config.node.threads = threads;
  config.node.single_thread = threads == 1;
  config.node.workers = 4;
  config.api.listen = config.metrics.listen = config.transport.listen = "127.0.0.1:0";
  config.api.deadline = 10s;
  config.facets.compute = kPlenty;
  config.facets.tenant_rate = config.facets.tenant_burst = config.facets.tenant_queue_max = kPlenty;
  config.facets.deadline = 10s;
  config.health.period = 10ms;
  return config;
}

RunningNode::RunningNode(runtime::NodeConfig config, runtime::SecretHandle admin_token, runtime::ConfigInputs inputs) {
  NodeSetup setup;
  setup.config = std::move(config);
  setup.inputs = std::move(inputs);
  std::string token(kTestToken);
  setup.admin_token = admin_token ? std::move(admin_token) : runtime::Secret::take(token.data(), token.size());
  setup.log.capture = log;
  setup.handle_signals = false;
  setup.roles.emplace_back([this](NodeParts& parts) -> Result<std::unique_ptr<Role>> {
    auto role = std::make_unique<ComputeRole>(parts);
    compute = role.get();
    return role;
  });
  auto made = NodeProcess::create(std::move(setup));
  if (!made) throw std::runtime_error(made.error().to_string());
  process = std::move(*made);
}

RunningNode::~RunningNode() {
  if (!process || !thread_.joinable()) return;
  if (!ended()) shut_down();
  wait();
}

void RunningNode::start() {
  std::promise<ExitCode> exit;
  exit_ = exit.get_future();
  thread_ = std::thread([this, promise = std::move(exit)]() mutable { promise.set_value(process->run()); });
}

ExitCode RunningNode::wait() {
  EXPECT_EQ(exit_.wait_for(kTestBound), std::future_status::ready) << "the node does not stop";
  thread_.join();
  return exit_.get();
}

void RunningNode::leak() {
  static std::vector<std::unique_ptr<NodeProcess>> leaked;
  leaked.push_back(std::move(process));
}

bool RunningNode::wait_until_ready() {
  return eventually([this] { return get(metrics(), "/readyz").status == 200; });
}

runtime::Answer RunningNode::get(std::uint16_t port, const std::string& path) {
  runtime::H1Client client(port);
  if (!client.socket.connected()) return {};
  client.send(runtime::get_text(path, kTestBearer));
  return client.receive();
}

runtime::Answer RunningNode::post(const std::string& path, const std::string& body, const std::string& headers) {
  runtime::H1Client client(api());
  if (!client.socket.connected()) return {};
  const bool has_token = headers.find("authorization") != std::string::npos;
  client.send(runtime::post(path, body, has_token ? headers : std::string(kTestBearer) + headers));
  return client.receive();
}

}  // namespace hyperscale::node

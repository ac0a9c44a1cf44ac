#include "node/cluster/cluster_link.h"

#include "runtime/clock/clock.h"
#include "runtime/transport/framed_client.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

using cluster::FrameGate;
using runtime::wall_now;

asio::ip::tcp::endpoint endpoint_of(const wire::NodeIdentity& node) {
  const asio::ip::address_v6 v6(node.address.ip);
  if (v6.is_v4_mapped()) return {asio::ip::make_address_v4(asio::ip::v4_mapped, v6), node.tcp_port};
  return {v6, node.tcp_port};
}

}  // namespace

ClusterLink::ClusterLink(asio::any_io_executor strand, const cluster::ClusterConfig& config, PeerSecurity security,
                         runtime::Metrics& metrics)
    : strand_(std::move(strand)), gate_(config, wall_now()), security_(std::move(security)), metrics_(metrics) {}

asio::awaitable<Result<SharedBytes>> ClusterLink::ask(wire::NodeIdentity to, std::string action, SharedBytes data) {
  const auto keep = shared_from_this();
  if (to.tcp_port == 0) co_return fail(ErrorCode::kUnavailable, to.name + " takes no framed connections");
  runtime::FramedClientOptions options{.to = endpoint_of(to),
                                       .guard = initiator_guard(security_, to.role),
                                       .verify_address = security_.verify_hostname,
                                       .connect_timeout = kLinkConnectTimeout};
  if (closed_) co_return fail(ErrorCode::kUnavailable, "this node stops");
  const auto client = std::make_shared<runtime::FramedClient>(strand_, std::move(options), metrics_);
  clients_.insert(client);
  Result<SharedBytes> answer = co_await converse(client, to, std::move(action), std::move(data));
  co_await client->close();
  clients_.erase(client);
  co_return answer;
}

asio::awaitable<Result<SharedBytes>> ClusterLink::converse(std::shared_ptr<runtime::FramedClient> client,
                                                           wire::NodeIdentity to, std::string action,
                                                           SharedBytes data) {
  const Status connected = co_await client->connect();
  if (!connected) co_return fail(connected.error());
  // Sealed after the connect: receivers reject a frame whose time stamp is too old.
  Result<FrameGate::Question> question = gate_.seal_question(to, std::move(action), std::move(data), wall_now());
  if (!question) co_return fail(question.error());
  const std::string method(cluster::kClusterMethod);
  const Result<SharedBytes> answer = co_await client->request(method, question->sealed, kLinkAnswerTimeout);
  if (!answer) co_return fail(answer.error());
  co_return gate_.open_answer(*question, answer->view());
}

void ClusterLink::close() {
  closed_ = true;
  for (const auto& client : clients_) client->drop();
}

Result<FrameGate::Asked> ClusterLink::open_question(const SharedBytes& sealed) {
  return gate_.open_question(sealed.view(), wall_now());
}

Result<SharedBytes> ClusterLink::seal_answer(const FrameGate::Asked& asked, SharedBytes data) {
  return gate_.seal_answer(asked, std::move(data), wall_now());
}

}  // namespace hyperscale::node

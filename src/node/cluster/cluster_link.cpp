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
  const auto client = std::make_shared<runtime::FramedClient>(strand_, std::move(options), metrics_);
  const Status connected = co_await client->connect();
  if (!connected) co_return fail(connected.error());
  // Sealed only now: a message is old soon after it was stamped.
  Result<FrameGate::Question> question =
      gate_.seal_question(to.address, std::move(action), std::move(data), wall_now());
  Result<SharedBytes> answer = fail(ErrorCode::kInternal, "");
  if (question) {
    const std::string method(cluster::kClusterMethod);
    answer = co_await client->request(method, question->sealed, kLinkAnswerTimeout);
    if (answer) answer = gate_.open_answer(*question, answer->view());
  } else {
    answer = fail(question.error());
  }
  co_await client->close();
  co_return answer;
}

Result<FrameGate::Asked> ClusterLink::open_question(const SharedBytes& sealed) {
  return gate_.open_question(sealed.view(), wall_now());
}

Result<SharedBytes> ClusterLink::seal_answer(const FrameGate::Asked& asked, SharedBytes data) {
  return gate_.seal_answer(asked, std::move(data), wall_now());
}

}  // namespace hyperscale::node

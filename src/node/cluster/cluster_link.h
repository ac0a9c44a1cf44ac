// ClusterLink: sends requests to other nodes and opens theirs, in sealed frames over the framed transport, with TLS
// if the node has certificates. Each request opens a connection: requests are rare.
//
// Thread rule: the given strand; owned by shared_ptr. Failure: one sentence.
// Limits: kLinkConnectTimeout and kLinkAnswerTimeout.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "cluster/frame_gate.h"
#include "node/cluster/peer_security.h"
#include "runtime/metrics/metrics.h"
#include "wire/node_identity.h"

#include <memory>
#include <set>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {
class FramedClient;
}

namespace hyperscale::node {

namespace asio = boost::asio;

inline constexpr Duration kLinkConnectTimeout = 2s;
inline constexpr Duration kLinkAnswerTimeout = 5s;

class ClusterLink : public std::enable_shared_from_this<ClusterLink> {
 public:
  ClusterLink(asio::any_io_executor strand, const cluster::ClusterConfig& config, PeerSecurity security,
              runtime::Metrics& metrics);

  asio::awaitable<Result<SharedBytes>> ask(wire::NodeIdentity to, std::string action, SharedBytes data);
  // Pending and later requests fail.
  void close();

  Result<cluster::FrameGate::Asked> open_question(const SharedBytes& sealed);
  Result<SharedBytes> seal_answer(const cluster::FrameGate::Asked& asked, SharedBytes data);

  void rotate(const wire::Keyring& keys) { gate_.rotate(keys); }
  const cluster::FrameStats& stats() const { return gate_.stats(); }

 private:
  asio::awaitable<Result<SharedBytes>> converse(std::shared_ptr<runtime::FramedClient> client, wire::NodeIdentity to,
                                                std::string action, SharedBytes data);

  asio::any_io_executor strand_;
  cluster::FrameGate gate_;
  const PeerSecurity security_;
  runtime::Metrics& metrics_;
  std::set<std::shared_ptr<runtime::FramedClient>> clients_;  // of pending requests
  bool closed_ = false;
};

}  // namespace hyperscale::node

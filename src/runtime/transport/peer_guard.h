// PeerGuard: which peers a framed connection accepts. Without a TLS context it is plain text and accepts all.
//
// Plain values, given once. The functions run on the strand of each connection, so they must be safe from any thread.
#pragma once

#include "base/result.h"

#include <functional>
#include <memory>
#include <span>
#include <string>

#include <boost/asio/ssl/context.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

// Checks a peer by the URIs of its certificate, whose chain has been verified.
using PeerCheck = std::function<Status(std::span<const std::string> uris)>;

struct PeerGuard {
  std::shared_ptr<asio::ssl::context> tls = nullptr;  // peer_tls.h
  PeerCheck check = nullptr;
  // Called for every refused peer: its IP address, and the reason. The peer gets no reason.
  std::function<void(const std::string& source, const std::string& why)> on_refused = nullptr;
};

}  // namespace hyperscale::runtime

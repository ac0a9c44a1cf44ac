// Authentication of nodes by certificate: the TLS contexts of this node, its checks of peer certificates, and a log of
// refused peers (SEC-9, AD28-SEC-2 to -5).
//
// Any thread, after peer_security() has read the files. Failure: one sentence that names the key and what is wrong.
#pragma once

#include "base/result.h"
#include "concurrent/ranked_mutex.h"
#include "runtime/config/node_config.h"
#include "runtime/log/log.h"
#include "runtime/transport/peer_guard.h"
#include "wire/certificate_identity.h"

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace hyperscale::node {

struct PeerSecurity {
  std::shared_ptr<boost::asio::ssl::context> acceptor = nullptr;  // both null: no TLS
  std::shared_ptr<boost::asio::ssl::context> initiator = nullptr;
  bool verify_hostname = true;
  wire::CertificateExpectation expected = {};

  bool has_tls() const { return acceptor != nullptr; }
};

// Reads the files; refuses an own certificate that other nodes would refuse.
// REQUIRES: is_in_cluster(config).
Result<PeerSecurity> peer_security(const runtime::NodeConfig& config);

// Logs each source and reason once, up to kRefusalsRememberedMax; the counters have the rest.
class RefusalLog {
 public:
  explicit RefusalLog(runtime::Log& log) : log_(log) {}
  void refused(const std::string& source, const std::string& why);

 private:
  runtime::Log& log_;
  concurrent::RankedMutex mutex_{concurrent::LockRank::kCounters};
  std::set<std::pair<std::string, std::string>> logged_;
};
inline constexpr std::size_t kRefusalsRememberedMax = 1024;

// Guards for connections that this node accepts, and for one that it opens to a node of role `dialled`.
runtime::PeerGuard acceptor_guard(const PeerSecurity& security, std::shared_ptr<RefusalLog> refusals);
runtime::PeerGuard initiator_guard(const PeerSecurity& security, wire::NodeRole dialled);

}  // namespace hyperscale::node

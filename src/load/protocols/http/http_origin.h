// HttpOrigin: a scheme, host and port, with the addresses where it is and what connecting to it needs. Made once before
// the loop and shared by all virtual users. HttpEnvironment: what all HTTP clients of an executor share.
#pragma once

#include "load/loop/socket_address.h"
#include "load/protocols/client_environment.h"
#include "load/protocols/http1/known_heads.h"
#include "load/protocols/http_session.h"
#include "load/protocols/transport.h"
#include "plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::load {

class FreeListMemory;
class PublicSuffixes;

struct HttpOrigin {
  std::string host;
  std::uint16_t port = 0;
  bool secure = false;
  std::vector<SocketAddress> addresses;  // of the origin, or of the proxy or Unix socket that leads there
  bool by_way = false;                   // they are those of a proxy or Unix socket
  bool by_redirect = false;              // no request of the plan or of a function names it
  std::string connect_request;           // asks the proxy for a tunnel; empty: none is needed
  std::string text() const;              // "https://host:port"
};

// "CONNECT host:port ..." for a proxy.
std::string tunnel_request(const std::string& host, std::uint16_t port, const std::string& proxy_authorization);

struct HttpEnvironment : ClientEnvironment {
  using ClientEnvironment::ClientEnvironment;

  plan::Http http;
  bool through_proxy = false;
  std::string proxy_authorization;  // value of the header; empty: none
  std::vector<std::unique_ptr<HttpOrigin>> origins;
  const PublicSuffixes* suffixes = nullptr;  // null: no host of the run needs them
  Duration wall_ahead{};                     // of the monotonic clock, when the run was prepared
  FreeListMemory* memory = nullptr;          // of HTTP/2 sessions
  KnownHeads known_heads;                    // of HTTP/1.1 sessions

  // Sessions and transports that ended inside one of their own calls; empty this when the loop has returned.
  struct Retired {
    std::unique_ptr<HttpSession> session;
    std::unique_ptr<Transport> transport;
  };
  std::vector<Retired> retired;
  void bury() {
    retired.clear();
    ClientEnvironment::bury();
  }

  const HttpOrigin* find(const std::string& host, std::uint16_t port, bool secure) const;
  // An origin that the plan does not name has the addresses that its host has at another port, or is an address itself.
  // Null when neither is so, or there are kOriginsMax.
  const HttpOrigin* find_or_add(const std::string& host, std::uint16_t port, bool secure, bool by_redirect = false);
  // Whether a redirect to there is followed: to hosts that the plan or a function names, at a port that it names for
  // the host or at the scheme's own, unless the plan allows all.
  bool may_redirect_to(const std::string& host, std::uint16_t port, bool secure) const;
  WallTime wall_at(MonoTime time) const { return WallTime::from_ns(time.ns()) + wall_ahead; }

 private:
  bool find_way(HttpOrigin& added) const;
};

}  // namespace hyperscale::load

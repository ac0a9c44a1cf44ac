// HttpOrigin: a scheme, host and port, with its addresses and what connecting to it needs. Made once before the loop
// and shared by all virtual users. HttpEnvironment: what all HTTP clients of an executor share.
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
  std::vector<SocketAddress> addresses;  // of the origin, or of the proxy or Unix socket in front of it
  bool by_way = false;                   // the addresses are those of a proxy or Unix socket
  bool by_redirect = false;              // no request of the plan or of a function names it
  std::string connect_request;           // asks the proxy for a tunnel; empty: no tunnel
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
  Duration wall_ahead{};                     // wall clock minus monotonic clock, when the run was prepared
  FreeListMemory* memory = nullptr;          // of HTTP/2 sessions
  KnownHeads known_heads;                    // of HTTP/1.1 sessions

  // Sessions and transports that ended inside one of their own calls; freed when the loop has returned.
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
  // An origin that the plan does not name gets the addresses of its host at another port, or its host is an address.
  // Null otherwise, or when kOriginsMax is reached.
  const HttpOrigin* find_or_add(const std::string& host, std::uint16_t port, bool secure, bool by_redirect = false);
  // Whether a redirect to this origin is followed: the plan or a function names the host, and the port is named for it
  // or is the scheme's default, unless the plan allows all.
  bool may_redirect_to(const std::string& host, std::uint16_t port, bool secure) const;
  WallTime wall_at(MonoTime time) const { return WallTime::from_ns(time.ns()) + wall_ahead; }

 private:
  bool find_way(HttpOrigin& added) const;
};

}  // namespace hyperscale::load

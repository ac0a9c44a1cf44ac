// HttpOrigin: a scheme, host and port, with the addresses where it is and what connecting to it needs. Made once before
// the loop and shared by all virtual users. HttpEnvironment: what all HTTP clients of an executor share.
#pragma once

#include "load/loop/event_loop.h"
#include "load/loop/socket_address.h"
#include "load/protocols/http_session.h"
#include "load/protocols/transport.h"
#include "plan/plan.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::load {

class TlsContext;
class FreeListMemory;

struct HttpOrigin {
  std::string host;
  std::uint16_t port = 0;
  bool secure = false;
  std::vector<SocketAddress> addresses;  // of the origin, or of the proxy or Unix socket that leads there
  bool by_way = false;                   // they are those of a proxy or Unix socket
  std::string connect_request;           // asks the proxy for a tunnel; empty: none is needed
  std::string text() const;              // "https://host:port"
};

// "CONNECT host:port ..." for a proxy.
std::string tunnel_request(const std::string& host, std::uint16_t port, const std::string& proxy_authorization);

struct HttpEnvironment {
  explicit HttpEnvironment(EventLoop& event_loop) : loop(event_loop) {}

  EventLoop& loop;
  plan::Http http;
  plan::Timeouts timeouts;
  std::vector<SocketAddress> sources;
  bool through_proxy = false;
  std::string proxy_authorization;  // value of the header; empty: none
  std::vector<std::unique_ptr<HttpOrigin>> origins;
  std::shared_ptr<TlsContext> tls;
  FreeListMemory* memory = nullptr;  // of HTTP/2 sessions

  // Sessions and transports that ended inside one of their own calls; empty this when the loop has returned.
  struct Retired {
    std::unique_ptr<HttpSession> session;
    std::unique_ptr<Transport> transport;
  };
  std::vector<Retired> retired;

  const HttpOrigin* find(const std::string& host, std::uint16_t port, bool secure) const;
  // For a redirect: an origin that the plan does not name has the addresses that its host has at another port, or is an
  // address itself. Null when neither is so.
  const HttpOrigin* find_or_add(const std::string& host, std::uint16_t port, bool secure);
};

}  // namespace hyperscale::load

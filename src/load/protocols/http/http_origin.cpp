#include "load/protocols/http/http_origin.h"

#include <fmt/format.h>

namespace hyperscale::load {

std::string HttpOrigin::text() const {
  const bool v6 = host.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}", secure ? "https" : "http", v6 ? "[" : "", host, v6 ? "]" : "", port);
}

const HttpOrigin* HttpEnvironment::find(const std::string& host, std::uint16_t port, bool secure) const {
  for (const auto& origin : origins)
    if (origin->port == port && origin->secure == secure && origin->host == host) return origin.get();
  return nullptr;
}

std::string tunnel_request(const std::string& host, std::uint16_t port, const std::string& proxy_authorization) {
  const bool v6 = host.find(':') != std::string::npos;
  const std::string authority = fmt::format("{}{}{}:{}", v6 ? "[" : "", host, v6 ? "]" : "", port);
  std::string out = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n", authority);
  if (!proxy_authorization.empty()) out += fmt::format("Proxy-Authorization: {}\r\n", proxy_authorization);
  return out + "\r\n";
}

const HttpOrigin* HttpEnvironment::find_or_add(const std::string& host, std::uint16_t port, bool secure) {
  if (const HttpOrigin* known = find(host, port, secure)) return known;
  auto added = std::make_unique<HttpOrigin>();
  added->host = host;
  added->port = port;
  added->secure = secure;
  for (const auto& origin : origins) {
    if (origin->by_way) {
      added->addresses = origin->addresses;
      added->by_way = true;
      break;
    }
    if (origin->host != host) continue;
    for (const SocketAddress& address : origin->addresses) added->addresses.push_back(address.with_port(port));
    break;
  }
  if (added->addresses.empty()) {
    const auto literal = SocketAddress::from_literal(host, port);
    if (!literal) return nullptr;
    added->addresses.push_back(*literal);
  }
  if (through_proxy && secure) added->connect_request = tunnel_request(host, port, proxy_authorization);
  return origins.emplace_back(std::move(added)).get();
}

}  // namespace hyperscale::load

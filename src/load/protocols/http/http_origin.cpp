#include "load/protocols/http/http_origin.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::load {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

}  // namespace

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

bool HttpEnvironment::may_redirect_to(const std::string& host, std::uint16_t port, bool secure) const {
  if (http.redirects_anywhere) return true;
  const bool usual_port = port == (secure ? kHttpsPort : kHttpPort);
  return std::ranges::any_of(origins, [&](const auto& origin) {
    return !origin->by_redirect && origin->host == host && (usual_port || origin->port == port);
  });
}

const HttpOrigin* HttpEnvironment::find_or_add(const std::string& host, std::uint16_t port, bool secure,
                                               bool by_redirect) {
  for (const auto& origin : origins) {
    if (origin->port != port || origin->secure != secure || origin->host != host) continue;
    if (!by_redirect) origin->by_redirect = false;
    return origin.get();
  }
  if (origins.size() >= kOriginsMax) return nullptr;
  auto added = std::make_unique<HttpOrigin>();
  added->host = host;
  added->port = port;
  added->secure = secure;
  added->by_redirect = by_redirect;
  if (!find_way(*added)) return nullptr;
  if (through_proxy && secure) added->connect_request = tunnel_request(host, port, proxy_authorization);
  return origins.emplace_back(std::move(added)).get();
}

bool HttpEnvironment::find_way(HttpOrigin& added) const {
  const auto by_way = std::ranges::find_if(origins, [](const auto& origin) { return origin->by_way; });
  added.by_way = by_way != origins.end();
  added.addresses = added.by_way ? (*by_way)->addresses : addresses_of(added.host, added.port);
  return !added.addresses.empty();
}

}  // namespace hyperscale::load

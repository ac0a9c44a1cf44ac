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

}  // namespace hyperscale::load

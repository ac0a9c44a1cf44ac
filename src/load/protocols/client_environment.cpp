#include "load/protocols/client_environment.h"

#include <utility>

namespace hyperscale::load {

// A host's addresses are the same at all its ports, unless --resolve overrides one of them.
std::vector<SocketAddress> ClientEnvironment::addresses_of(const std::string& host, std::uint16_t port) const {
  std::vector<SocketAddress> addresses;
  const plan::Endpoint* known = nullptr;
  for (const plan::Endpoint& endpoint : endpoints) {
    if (endpoint.host != host) continue;
    if (known == nullptr || endpoint.port == port) known = &endpoint;
  }
  if (known != nullptr)
    for (const std::string& literal : known->addresses)
      if (const auto address = SocketAddress::from_literal(literal, port)) addresses.push_back(*address);
  if (addresses.empty())
    if (const auto literal = SocketAddress::from_literal(host, port)) addresses.push_back(*literal);
  return addresses;
}

const Destination* ClientEnvironment::destination_of(const std::string& host, std::uint16_t port) {
  for (const auto& destination : destinations_)
    if (destination->port == port && destination->host == host) return destination.get();
  if (destinations_.size() >= kOriginsMax) return nullptr;
  auto made =
      std::make_unique<Destination>(Destination{.host = host, .port = port, .addresses = addresses_of(host, port)});
  if (made->addresses.empty()) return nullptr;
  return destinations_.emplace_back(std::move(made)).get();
}

}  // namespace hyperscale::load

#include "load/client_set.h"

#include "load/protocols/raw/raw_client.h"

namespace hyperscale::load {

ClientSet::ClientSet(HttpEnvironment& environment, ExchangeListener& listener, const ClientSetup& setup,
                     ProtocolMask protocols)
    : environment_(environment), listener_(listener), setup_(setup) {
  for (std::size_t i = 0; i < plan::kProtocolCount; ++i)
    if (protocols[i]) make(static_cast<Protocol>(i));
}

ProtocolClient& ClientSet::make(Protocol protocol) {
  auto& made = clients_[static_cast<std::size_t>(protocol)];
  switch (protocol) {
    case Protocol::kHttp:
      made = std::make_unique<HttpClient>(environment_, listener_, setup_);
      break;
    case Protocol::kTcp:
    case Protocol::kUdp:
      made = std::make_unique<RawClient>(protocol, environment_, listener_, setup_);
      break;
  }
  return *made;
}

void ClientSet::cut(results::Outcome outcome, std::string_view message) {
  for (const auto& client : clients_)
    if (client) client->cut(outcome, message);
}

void ClientSet::become_new_user() {
  for (const auto& client : clients_)
    if (client) client->become_new_user();
}

void ClientSet::tell_connection_bytes() {
  for (const auto& client : clients_)
    if (client) client->tell_connection_bytes();
}

std::uint32_t ClientSet::in_flight() const {
  std::uint32_t sum = 0;
  for (const auto& client : clients_)
    if (client) sum += client->in_flight();
  return sum;
}

}  // namespace hyperscale::load

// ClientSet: the clients of one virtual user, one for each protocol that it speaks.
//
// Single-threaded, the executor's loop. Clients of the plan's protocols are created with the user, before anything is
// measured; a client that only functions use is created with the first call.
#pragma once

#include "load/protocols/http/http_client.h"
#include "load/protocols/protocol_client.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <string_view>

namespace hyperscale::load {

using ProtocolMask = std::bitset<plan::kProtocolCount>;

class ClientSet {
 public:
  // `protocols` are those of the plan.
  ClientSet(HttpEnvironment& environment, ExchangeListener& listener, const ClientSetup& setup, ProtocolMask protocols);

  ProtocolClient& of(Protocol protocol) {
    const auto& made = clients_[static_cast<std::size_t>(protocol)];
    return made ? *made : make(protocol);
  }
  HttpClient& http() { return static_cast<HttpClient&>(of(Protocol::kHttp)); }

  // Each calls the ProtocolClient function of that name on every client.
  void cut(results::Outcome outcome, std::string_view message);
  void become_new_user();
  void tell_connection_bytes();
  std::uint32_t in_flight() const;

 private:
  ProtocolClient& make(Protocol protocol);

  HttpEnvironment& environment_;
  ExchangeListener& listener_;
  ClientSetup setup_;
  std::array<std::unique_ptr<ProtocolClient>, plan::kProtocolCount> clients_;
};

}  // namespace hyperscale::load

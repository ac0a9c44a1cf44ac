// ClientEnvironment: what the clients of all users of an executor share, for any protocol: the loop, timeouts,
// addresses of hosts, use of connections, TLS. A protocol that shares more derives its own.
//
// Single-threaded, the executor's loop. Filled before the loop; outlives every client.
#pragma once

#include "load/loop/event_loop.h"
#include "load/loop/socket_address.h"
#include "load/protocols/kept_bodies.h"
#include "load/protocols/transport.h"
#include "plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::load {

class LateSockets;
class TlsContext;

// Of one executor. With more (functions that generate hosts, redirects to any host) further exchanges fail.
inline constexpr std::size_t kOriginsMax = 4096;

// A host and port with its addresses.
struct Destination {
  std::string host;
  std::uint16_t port = 0;
  std::vector<SocketAddress> addresses;
};

struct ClientEnvironment {
  explicit ClientEnvironment(EventLoop& event_loop) : loop(event_loop) {}

  EventLoop& loop;
  plan::Timeouts timeouts;
  bool keep_alive = true;                      // an exchange may reuse a connection
  std::uint64_t exchanges_per_connection = 0;  // zero: no limit
  std::vector<SocketAddress> sources;          // local addresses, in rotation over users
  std::vector<plan::Endpoint> endpoints;       // of the plan: addresses of its hosts
  std::shared_ptr<KeptBodies> bodies = std::make_shared<KeptBodies>();
  std::shared_ptr<TlsContext> tls;
  std::shared_ptr<LateSockets> late;  // of UDP; made when the first exchange has timed out

  // Connections that ended inside one of their own calls; bury() frees them when the loop has returned.
  std::vector<std::shared_ptr<const void>> retired_connections;
  void bury() {
    if (!retired_connections.empty()) retired_connections.clear();
  }

  // The local address of a user; null: the kernel chooses.
  const SocketAddress* source_of(std::uint32_t number) const {
    return sources.empty() ? nullptr : &sources[number % sources.size()];
  }
  // Addresses of a host: those of the plan for the port, or for another port of the host, or the host itself if it is
  // an address. Empty: no address is known.
  std::vector<SocketAddress> addresses_of(const std::string& host, std::uint16_t port) const;
  // The same, cached: one object for each host and port. Null: no address is known, or kOriginsMax is reached.
  const Destination* destination_of(const std::string& host, std::uint16_t port);

 private:
  std::vector<std::unique_ptr<Destination>> destinations_;
};

}  // namespace hyperscale::load

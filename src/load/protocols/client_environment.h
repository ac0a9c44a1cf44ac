// ClientEnvironment: what the clients of all users of an executor share, whatever their protocol: the loop, timeouts,
// where hosts are, TLS. A protocol that shares more derives its own.
//
// Single-threaded, the executor's loop. Filled before the loop; outlives every client.
#pragma once

#include "load/loop/event_loop.h"
#include "load/loop/socket_address.h"
#include "load/protocols/kept_bodies.h"
#include "load/protocols/transport.h"
#include "plan/plan.h"

#include <memory>
#include <vector>

namespace hyperscale::load {

class TlsContext;

struct ClientEnvironment {
  explicit ClientEnvironment(EventLoop& event_loop) : loop(event_loop) {}

  EventLoop& loop;
  plan::Timeouts timeouts;
  std::vector<SocketAddress> sources;     // local addresses, in rotation over users
  std::vector<plan::Endpoint> endpoints;  // of the plan: where its hosts are
  std::shared_ptr<KeptBodies> bodies = std::make_shared<KeptBodies>();
  std::shared_ptr<TlsContext> tls;

  // The local address of a user; null: the kernel chooses.
  const SocketAddress* source_of(std::uint32_t number) const {
    return sources.empty() ? nullptr : &sources[number % sources.size()];
  }
};

}  // namespace hyperscale::load

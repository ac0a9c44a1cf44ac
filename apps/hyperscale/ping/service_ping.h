// One ping of a TCP, SMTP or FTP server: lookup by kind, connection, greeting, QUIT.
//
// Blocking, at most the ping's timeout and kFarewellTimeout; any thread. What the peer sent is limited in size
// (service_reply.h) and must be made visible before it is printed.
#pragma once

#include "apps/hyperscale/ping/ping_request.h"
#include "base/time.h"
#include "node/executors/name_resolver.h"

#include <optional>
#include <string>

namespace hyperscale::app {

// How long the answer to QUIT is waited for; it is no part of the figures and may stay away.
inline constexpr Duration kFarewellTimeout = 1s;

struct PingOutcome {
  std::string error;  // empty: answered as it should
  // A phase that did not end has no time.
  std::optional<Duration> lookup;
  std::optional<Duration> connect;  // of the address that answered
  std::optional<Duration> greeting;
  Duration total{};
  std::optional<node::LookedUpEndpoint> endpoint;  // the one that took the connection
  std::string greeting_line;                       // its first line, as the peer sent it

  bool ok() const { return error.empty(); }
};

// The addresses are tried in their order until one takes a connection; each may use an equal part of the time left, so
// that one that swallows packets does not hide the next.
PingOutcome ping_once(const Ping& ping);

}  // namespace hyperscale::app

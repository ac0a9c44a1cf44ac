// One ping of a TCP, SMTP or FTP server: lookup by kind, connection, greeting, QUIT.
//
// Blocking, at most the ping's timeout and kFarewellTimeout; any thread. Text from the peer is limited in size
// (service_reply.h) and must be sanitised before it is printed.
#pragma once

#include "apps/hyperscale/ping/ping_request.h"
#include "base/time.h"
#include "node/executors/name_resolver.h"

#include <optional>
#include <string>

namespace hyperscale::app {

// Longest wait for the answer to QUIT, which is optional and not part of the figures.
inline constexpr Duration kFarewellTimeout = 1s;

struct PingOutcome {
  std::string error;  // empty: answered as expected
  // A phase that did not complete has no time.
  std::optional<Duration> lookup;
  std::optional<Duration> connect;  // of the address that answered
  std::optional<Duration> greeting;
  Duration total{};
  std::optional<node::LookedUpEndpoint> endpoint;  // the one that accepted the connection
  std::string greeting_line;                       // its first line, unsanitised

  bool ok() const { return error.empty(); }
};

// Tries the addresses in order until one accepts a connection. Each gets an equal part of the remaining time, so that
// an address that drops packets does not prevent the next attempt.
PingOutcome ping_once(const Ping& ping);

}  // namespace hyperscale::app

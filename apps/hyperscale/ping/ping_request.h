// Ping: the parsed options of `hyperscale ping tcp|smtp|ftp`.
//
// Pure; any thread. Failures are kInvalidArgument and name the option.
#pragma once

#include "apps/hyperscale/ping/ping_options.h"
#include "base/result.h"
#include "base/time.h"
#include "node/executors/resolver_settings.h"
#include "plan/request_kind.h"

#include <cstdint>
#include <string>

namespace hyperscale::app {

inline constexpr std::uint32_t kPingsMax = 10'000;
inline constexpr Duration kPingTimeout = 5s;
inline constexpr Duration kPingTimeoutMax = 1h;

struct Ping {
  plan::RequestKind kind = plan::RequestKind::kTcp;
  std::string host;
  std::uint16_t port = 0;
  plan::AddressFamily family = plan::AddressFamily::kAny;
  std::uint32_t count = 1;
  node::ResolverSettings resolver;
  Duration timeout = kPingTimeout;  // of one ping, from the lookup to the last byte of the greeting
};

Result<Ping> read_ping(plan::RequestKind kind, const PingOptions& options);

}  // namespace hyperscale::app

// NameResolver: all addresses of a host, asked for once before a run.
//
// Blocking, at most `timeout` per host; any thread, one at a time. IP literals need no query, /etc/hosts is honoured
// first, then DNS (A and AAAA at once). A name that has no address is kNotFound, one that nobody answered for kTimeout
// or kUnavailable; the message is `cannot resolve "name": reason`.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "plan/plan.h"

#include <string>
#include <vector>

namespace hyperscale::node {

inline constexpr Duration kLookupTimeout = 5s;

struct ResolverSettings {
  Duration timeout = kLookupTimeout;
  std::string servers;  // "127.0.0.1:5353,..." instead of the system's; empty: the system's
};

struct ResolvedHost {
  std::vector<std::string> addresses;  // at least one, each once
  Duration lookup_time{};              // zero for a literal
};

Result<ResolvedHost> resolve_host(const std::string& host, plan::AddressFamily family,
                                  const ResolverSettings& settings = {});

}  // namespace hyperscale::node

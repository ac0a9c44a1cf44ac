// NameResolver: resolves all addresses of a host once before a run, by the lookup that the kind of request needs.
//
// Blocking, at most `timeout` per host for all its queries; any thread, one at a time. IP literals need no query;
// /etc/hosts takes precedence over DNS (A and AAAA at once). A name without an address is kNotFound; without an answer
// it is kTimeout or kUnavailable; the message is `cannot resolve "name": reason`.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "node/executors/mail_exchanger.h"
#include "node/executors/resolver_settings.h"
#include "plan/plan.h"
#include "plan/request_kind.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::node {

// Addresses of all mail exchangers of a domain; those of the last exchangers are dropped above this limit.
inline constexpr std::size_t kMailEndpointsMax = 64;

struct ResolvedHost {
  std::vector<std::string> addresses;  // at least one, unique
  Duration lookup_time{};              // zero for a literal
};

Result<ResolvedHost> resolve_host(const std::string& host, plan::AddressFamily family,
                                  const ResolverSettings& settings = {});

// An address to connect to, with the properties that the kind of request determines.
struct LookedUpEndpoint {
  std::string address;
  plan::AddressFamily family = plan::AddressFamily::kAny;  // of the address: never kAny
  plan::Transport transport = plan::Transport::kTcp;
  std::uint16_t port = 0;
  std::optional<MailExchanger> exchanger;  // for mail to a name; never for a literal
  bool operator==(const LookedUpEndpoint&) const = default;
};

struct LookedUp {
  std::vector<LookedUpEndpoint> endpoints;  // at least one, in the order to try them
  Duration lookup_time{};                   // zero for a literal
};

// Uses plan::Lookup of the kind. Port zero means the kind's default port; kInvalidArgument if it has none.
// Mail: a name in /etc/hosts is its own exchanger, without an MX query; exchangers without an address are skipped if
// another has one.
Result<LookedUp> lookup(plan::RequestKind kind, const std::string& host, std::uint16_t port, plan::AddressFamily family,
                        const ResolverSettings& settings = {});

}  // namespace hyperscale::node

// NameResolver: all addresses of a host, asked for once before a run, in the way that the kind of request needs.
//
// Blocking, at most `timeout` per host whatever has to be asked; any thread, one at a time. IP literals need no query,
// /etc/hosts is honoured first, then DNS (A and AAAA at once). A name that has no address is kNotFound, one that nobody
// answered for kTimeout or kUnavailable; the message is `cannot resolve "name": reason`.
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

// Addresses of all mail exchangers of a domain; those of the last ones are left out when there are more.
inline constexpr std::size_t kMailEndpointsMax = 64;

struct ResolvedHost {
  std::vector<std::string> addresses;  // at least one, each once
  Duration lookup_time{};              // zero for a literal
};

Result<ResolvedHost> resolve_host(const std::string& host, plan::AddressFamily family,
                                  const ResolverSettings& settings = {});

// A place to connect to, with everything that the kind of request decides about it.
struct LookedUpEndpoint {
  std::string address;
  plan::AddressFamily family = plan::AddressFamily::kAny;  // of the address: never kAny
  plan::Transport transport = plan::Transport::kTcp;
  std::uint16_t port = 0;
  std::optional<MailExchanger> exchanger;  // mail to a name; never for a literal
  bool operator==(const LookedUpEndpoint&) const = default;
};

struct LookedUp {
  std::vector<LookedUpEndpoint> endpoints;  // at least one, in the order to try them
  Duration lookup_time{};                   // zero for a literal
};

// By plan::Lookup of the kind. A port of zero means the kind's own; for a kind without one that is kInvalidArgument.
// Mail: a name in /etc/hosts is its own exchanger and no MX is asked for; an exchanger without an address is passed
// over while another has one.
Result<LookedUp> lookup(plan::RequestKind kind, const std::string& host, std::uint16_t port, plan::AddressFamily family,
                        const ResolverSettings& settings = {});

}  // namespace hyperscale::node

#include "node/executors/name_resolver.h"

#include "node/executors/address_query.h"
#include "node/executors/mail_exchangers.h"
#include "plan/host.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

bool is_literal(const std::string& host) {
  return plan::family_of(host) != plan::AddressFamily::kAny;
}

std::string family_address(plan::AddressFamily family) {
  return family == plan::AddressFamily::kAny ? "address" : fmt::format("{} address", plan::name(family));
}

Result<ResolvedHost> literal(const std::string& host, plan::AddressFamily family) {
  if (family != plan::AddressFamily::kAny && family != plan::family_of(host)) {
    return unresolved(ErrorCode::kNotFound, host, fmt::format("it is not an {}", family_address(family)));
  }
  return ResolvedHost{{host}, {}};
}

Result<ResolvedHost> addresses_of(DnsChannel& channel, const std::string& host, plan::AddressFamily family) {
  AddressAnswer answer = std::move(query_addresses(channel, {&host, 1}, family).front());
  if (answer.addresses.empty()) return unresolved(answer.ares_status, host, family_address(family));
  return ResolvedHost{std::move(answer.addresses), channel.elapsed()};
}

bool is_in_hosts_file(const std::string& host, const ResolverSettings& settings) {
  auto files = DnsChannel::open(settings, DnsChannel::Sources::kHostsFile);
  return files && !query_addresses(*files, {&host, 1}, plan::AddressFamily::kAny).front().addresses.empty();
}

// Appends endpoints without transport and port, which lookup() fills in.
void append(LookedUp& into, const std::vector<std::string>& addresses, const std::optional<MailExchanger>& exchanger) {
  for (const std::string& address : addresses) {
    into.endpoints.push_back({.address = address, .family = plan::family_of(address), .exchanger = exchanger});
  }
}

Result<LookedUp> plain_lookup(const std::string& host, plan::AddressFamily family, const ResolverSettings& settings) {
  const auto found = resolve_host(host, family, settings);
  if (!found) return fail(found.error());
  LookedUp result{.endpoints = {}, .lookup_time = found->lookup_time};
  append(result, found->addresses, std::nullopt);
  return result;
}

Result<LookedUp> ftp_lookup(const std::string& host, plan::AddressFamily family, const ResolverSettings& settings) {
  const auto found = plain_lookup(host, family, settings);
  if (!found) return fail(found.error());
  LookedUp result{.endpoints = {}, .lookup_time = found->lookup_time};
  for (const auto wanted : {plan::AddressFamily::kIpv4, plan::AddressFamily::kIpv6}) {
    std::ranges::copy_if(found->endpoints, std::back_inserter(result.endpoints),
                         [&](const LookedUpEndpoint& one) { return one.family == wanted; });
  }
  return result;
}

Result<LookedUp> mail_lookup(const std::string& host, plan::AddressFamily family, const ResolverSettings& settings) {
  if (is_literal(host)) return plain_lookup(host, family, settings);
  auto channel = DnsChannel::open(settings);
  if (!channel) return unresolved(ErrorCode::kInternal, host, channel.error().context);
  std::vector<MailExchanger> exchangers;
  if (!is_in_hosts_file(host, settings)) {
    auto found = mail_exchangers(*channel, host);
    if (!found) return fail(found.error());
    exchangers = std::move(*found);
  }
  LookedUp result;
  if (exchangers.empty()) {
    const auto own = addresses_of(*channel, host, family);
    if (!own) return fail(own.error());
    append(result, own->addresses, MailExchanger{.name = host, .preference = 0});
  } else {
    std::vector<std::string> names;
    names.reserve(exchangers.size());
    for (const MailExchanger& exchanger : exchangers) names.push_back(exchanger.name);
    const std::vector<AddressAnswer> answers = query_addresses(*channel, names, family);
    for (std::size_t i = 0; i < answers.size(); ++i) append(result, answers[i].addresses, exchangers[i]);
    if (result.endpoints.empty()) {
      const Error first = unresolved(answers.front().ares_status, names.front(), family_address(family)).value();
      return fail(first.code, fmt::format("{} (it is the first mail exchanger of \"{}\"; none has an address)",
                                          first.context, host));
    }
    if (result.endpoints.size() > kMailEndpointsMax) result.endpoints.resize(kMailEndpointsMax);
  }
  result.lookup_time = channel->elapsed();
  return result;
}

Result<LookedUp> lookup_by(plan::Lookup way, const std::string& host, plan::AddressFamily family,
                           const ResolverSettings& settings) {
  if (way == plan::Lookup::kMail) return mail_lookup(host, family, settings);
  if (way == plan::Lookup::kFtp) return ftp_lookup(host, family, settings);
  return plain_lookup(host, family, settings);
}

}  // namespace

Result<ResolvedHost> resolve_host(const std::string& host, plan::AddressFamily family,
                                  const ResolverSettings& settings) {
  if (is_literal(host)) return literal(host, family);
  auto channel = DnsChannel::open(settings);
  if (!channel) return unresolved(ErrorCode::kInternal, host, channel.error().context);
  return addresses_of(*channel, host, family);
}

Result<LookedUp> lookup(plan::RequestKind kind, const std::string& host, std::uint16_t port, plan::AddressFamily family,
                        const ResolverSettings& settings) {
  const plan::KindTraits& traits = plan::traits(kind);
  if (port == 0) port = traits.port;
  if (port == 0) return fail(ErrorCode::kInvalidArgument, fmt::format("{} has no port of its own", traits.name));
  auto result = lookup_by(traits.lookup, host, family, settings);
  if (!result) return result;
  for (LookedUpEndpoint& endpoint : result->endpoints) {
    endpoint.transport = traits.transport;
    endpoint.port = port;
  }
  return result;
}

}  // namespace hyperscale::node

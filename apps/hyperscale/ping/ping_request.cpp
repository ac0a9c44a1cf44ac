#include "apps/hyperscale/ping/ping_request.h"

#include "plan/host.h"
#include "plan/option_values.h"

#include <fmt/format.h>

namespace hyperscale::app {
namespace {

struct Place {
  std::string host;
  std::uint16_t port = 0;  // zero: none given
};

// "host", "host:port", "::1", "[::1]:port".
Result<Place> read_place(std::string_view option, std::string_view text) {
  if (plan::is_ipv6_address(text)) return Place{.host = std::string(text)};
  const std::size_t host_end = text.starts_with('[') ? text.find(']') + 1 : text.find(':');
  const auto host = plan::parse_host(text.substr(0, host_end));
  if (!host) return plan::wrong_option(option, host.error().context);
  if (host_end >= text.size()) return Place{.host = *host};
  if (text[host_end] != ':') return plan::wrong_option(option, fmt::format("{} is not HOST:PORT", plan::shown(text)));
  const auto port = plan::read_count(option, text.substr(host_end + 1), 1, UINT16_MAX);
  if (!port) return fail(port.error());
  return Place{.host = *host, .port = static_cast<std::uint16_t>(*port)};
}

Status read_target(const std::string& text, Ping& into) {
  const plan::KindTraits& traits = plan::traits(into.kind);
  if (text.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("no host given; write {} {}", traits.name, traits.port == 0 ? "HOST:PORT" : "HOST[:PORT]"));
  }
  auto place = read_place(traits.name, text);
  if (!place) return fail(place.error());
  into.host = std::move(place->host);
  into.port = place->port == 0 ? traits.port : place->port;
  if (into.port == 0)
    return plan::wrong_option(traits.name, fmt::format("{} has no port; write HOST:PORT", plan::shown(text)));
  return {};
}

Status read_dns_server(const std::string& text, std::string& into) {
  constexpr std::string_view kOption = "--dns-server";
  constexpr std::uint16_t kDnsPort = 53;
  if (text.empty()) return {};
  const auto place = read_place(kOption, text);
  if (!place) return fail(place.error());
  const plan::AddressFamily family = plan::family_of(place->host);
  if (family == plan::AddressFamily::kAny) {
    return plan::wrong_option(kOption, fmt::format("{} is not an IP address", plan::shown(place->host)));
  }
  const std::uint16_t port = place->port == 0 ? kDnsPort : place->port;
  into = family == plan::AddressFamily::kIpv6 ? fmt::format("[{}]:{}", place->host, port)
                                              : fmt::format("{}:{}", place->host, port);
  return {};
}

Status read_limits(const PingOptions& options, Ping& into) {
  if (!options.count.empty()) {
    const auto count = plan::read_count("--count", options.count, 1, kPingsMax);
    if (!count) return fail(count.error());
    into.count = static_cast<std::uint32_t>(*count);
  }
  if (!options.timeout.empty()) {
    const auto timeout = plan::read_duration("--timeout", options.timeout);
    if (!timeout) return fail(timeout.error());
    if (*timeout < 1ms || *timeout > kPingTimeoutMax) {
      return plan::wrong_option("--timeout", fmt::format("{} is not from 1ms to 1h", plan::shown(options.timeout)));
    }
    into.timeout = *timeout;
  }
  into.resolver.timeout = into.timeout;
  return {};
}

}  // namespace

Result<Ping> read_ping(plan::RequestKind kind, const PingOptions& options) {
  Ping ping;
  ping.kind = kind;
  for (const Status& read : {read_target(options.target, ping), read_limits(options, ping),
                             read_dns_server(options.dns_server, ping.resolver.servers)}) {
    if (!read) return fail(read.error());
  }
  if (options.ipv4 && options.ipv6) return plan::wrong_option("-4", "contradicts -6");
  if (options.ipv4) ping.family = plan::AddressFamily::kIpv4;
  if (options.ipv6) ping.family = plan::AddressFamily::kIpv6;
  return ping;
}

}  // namespace hyperscale::app

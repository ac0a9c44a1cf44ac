#include "plan/request_kind.h"

#include "base/check.h"
#include "plan/host.h"

#include <algorithm>
#include <array>

namespace hyperscale::plan {
namespace {

using enum RequestKind;

constexpr std::array<KindTraits, 10> kKinds = {{
    {kHttp, "http", Transport::kTcp, 80, 443, Lookup::kAddresses},
    {kHttp2, "http2", Transport::kTcp, 80, 443, Lookup::kAddresses},
    {kHttp3, "http3", Transport::kQuic, 443, 443, Lookup::kAddresses},
    {kGraphql, "graphql", Transport::kTcp, 80, 443, Lookup::kAddresses},
    {kGrpc, "grpc", Transport::kTcp, 80, 443, Lookup::kAddresses},
    {kWebsocket, "websocket", Transport::kTcp, 80, 443, Lookup::kAddresses},
    {kTcp, "tcp", Transport::kTcp, 0, 0, Lookup::kAddresses},
    {kUdp, "udp", Transport::kUdp, 0, 0, Lookup::kAddresses},
    {kFtp, "ftp", Transport::kTcp, 21, 990, Lookup::kFtp},
    {kSmtp, "smtp", Transport::kTcp, 25, 465, Lookup::kMail},
}};

constexpr bool in_order_of_the_enum() {
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (static_cast<std::size_t>(kKinds[i].kind) != i) return false;
  }
  return true;
}
static_assert(in_order_of_the_enum());

}  // namespace

std::span<const KindTraits> all_kinds() {
  return kKinds;
}

const KindTraits& traits(RequestKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  CHECK(index < kKinds.size(), "no request kind {}", index);
  return kKinds[index];
}

std::string_view name(RequestKind kind) {
  return traits(kind).name;
}

std::optional<RequestKind> parse_request_kind(std::string_view text) {
  const auto* const found = std::ranges::find(kKinds, text, &KindTraits::name);
  if (found == kKinds.end()) return std::nullopt;
  return found->kind;
}

std::string_view name(Transport transport) {
  if (transport == Transport::kTcp) return "TCP";
  return transport == Transport::kUdp ? "UDP" : "QUIC";
}

std::string_view name(AddressFamily family) {
  if (family == AddressFamily::kIpv4) return "IPv4";
  return family == AddressFamily::kIpv6 ? "IPv6" : "any";
}

AddressFamily family_of(std::string_view ip) {
  if (is_ipv4_address(ip)) return AddressFamily::kIpv4;
  return is_ipv6_address(ip) ? AddressFamily::kIpv6 : AddressFamily::kAny;
}

RequestKind kind_of(HttpVersion version) {
  return version == HttpVersion::kHttp2 ? RequestKind::kHttp2 : RequestKind::kHttp;
}

}  // namespace hyperscale::plan

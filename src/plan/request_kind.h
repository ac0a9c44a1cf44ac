// RequestKind: the kind of request that a step makes, and what it implies before any packet is sent: the transport, the
// ports, and how the host's name is resolved (HOOK-ARG-7).
//
// This table is the only source; resolvers, probes and pings use it. Pure functions; any thread.
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hyperscale::plan {

enum class RequestKind : std::uint8_t { kHttp, kHttp2, kHttp3, kGraphql, kGrpc, kWebsocket, kTcp, kUdp, kFtp, kSmtp };

enum class Transport : std::uint8_t { kTcp, kUdp, kQuic };

enum class Lookup : std::uint8_t {
  // The host's A and AAAA records, in the resolver's order (RFC 6724).
  kAddresses,
  // The same records, IPv4 first. EPSV (RFC 2428) works over both families, so both are kept; but PASV and the NAT
  // gateways that rewrite it know IPv4 only, so a data connection will most likely work in that family. SRV records
  // (_ftp._tcp) are not queried: no common FTP client does, and a test would reach another server than users do.
  kFtp,
  // MX records by preference, then the addresses of each exchanger (RFC 5321 5.1). Without MX records the host itself
  // is the exchanger with preference 0. A null MX (RFC 7505) is an error: the domain accepts no mail.
  kMail,
};

struct KindTraits {
  RequestKind kind;
  std::string_view name;
  Transport transport;
  std::uint16_t port;         // in the clear; 0: no default, the user must give it
  std::uint16_t secure_port;  // TLS from the first byte; 0: as above
  Lookup lookup;
};

std::span<const KindTraits> all_kinds();
const KindTraits& traits(RequestKind kind);

// "http3"; the same text for users and files.
std::string_view name(RequestKind kind);
std::optional<RequestKind> parse_request_kind(std::string_view text);

std::string_view name(Transport transport);    // "TCP"
std::string_view name(AddressFamily family);   // "IPv4", "IPv6", "any"
AddressFamily family_of(std::string_view ip);  // kAny when it is no IP address

// The kind of a plan's http and https URLs. kAuto counts as HTTP/1.1: what ALPN will choose is not known before a
// connection, and transport and lookup do not depend on it.
RequestKind kind_of(HttpVersion version);

}  // namespace hyperscale::plan

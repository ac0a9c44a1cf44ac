// Protocol: the protocol of a step; each has its own client in src/load/protocols. The scheme of a URL determines it.
//
// Plain values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hyperscale::plan {

enum class Protocol : std::uint8_t { kHttp, kTcp, kUdp };
inline constexpr Protocol kLastProtocol = Protocol::kUdp;
inline constexpr std::size_t kProtocolCount = static_cast<std::size_t>(kLastProtocol) + 1;

// As in JSON and in files: "http".
constexpr std::string_view name(Protocol protocol) {
  switch (protocol) {
    case Protocol::kHttp:
      break;
    case Protocol::kTcp:
      return "tcp";
    case Protocol::kUdp:
      return "udp";
  }
  return "http";
}

// Of a URL that was checked. tls:// is TCP too.
constexpr Protocol protocol_of(std::string_view url) {
  if (url.starts_with("tcp://") || url.starts_with("tls://")) return Protocol::kTcp;
  return url.starts_with("udp://") ? Protocol::kUdp : Protocol::kHttp;
}

// Bytes out and bytes back: no methods, headers, statuses or redirects.
constexpr bool is_raw(Protocol protocol) {
  return protocol == Protocol::kTcp || protocol == Protocol::kUdp;
}

}  // namespace hyperscale::plan

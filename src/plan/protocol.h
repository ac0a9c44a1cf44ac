// Protocol: what a step speaks; each has a client of its own in src/load/protocols.
//
// Plain values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hyperscale::plan {

enum class Protocol : std::uint8_t { kHttp };
inline constexpr Protocol kLastProtocol = Protocol::kHttp;
inline constexpr std::size_t kProtocolCount = static_cast<std::size_t>(kLastProtocol) + 1;

// As in JSON and in files: "http".
constexpr std::string_view name(Protocol protocol) {
  switch (protocol) {
    case Protocol::kHttp:
      break;
  }
  return "http";
}

}  // namespace hyperscale::plan

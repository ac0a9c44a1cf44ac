// "host:port" as the configuration writes it: 127.0.0.1:8080, localhost:0, [::1]:8080.
//
// Thread rule: pure functions; names are not resolved. Port 0 asks the system for a free port. Failure:
// kInvalidArgument with a sentence that says what to write instead.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::runtime {

inline constexpr std::size_t kHostBytesMax = 253;

struct ListenAddress {
  std::string host;  // without brackets
  std::uint16_t port = 0;
  bool operator==(const ListenAddress&) const = default;
};

Result<ListenAddress> parse_listen_address(std::string_view text);
// Whether only this machine can reach it.
bool is_loopback(const ListenAddress& address);

}  // namespace hyperscale::runtime

// ByteCounts: bytes above TLS that were passed to the kernel and that were read. A plain value.
#pragma once

#include <cstdint>

namespace hyperscale::load {

struct ByteCounts {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;

  ByteCounts& operator+=(const ByteCounts& more) {
    sent += more.sent;
    received += more.received;
    return *this;
  }
  bool operator==(const ByteCounts&) const = default;
};

}  // namespace hyperscale::load

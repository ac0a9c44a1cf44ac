// Every limit of an HTTP listener, with its default. A plain value: the server keeps a snapshot that can be replaced
// while it runs.
#pragma once

#include "base/time.h"

#include <cstddef>
#include <cstdint>

namespace hyperscale::runtime {

// A peer must read this much of a response within the write timeout: a large response may take longer than a small one,
// but a peer that stops reading, or reads very slowly, is disconnected.
inline constexpr std::size_t kWritePieceBytes = 64 << 10;

struct HttpLimits {
  Duration deadline = 2s;           // of a request, from its complete head to its answer
  Duration read_timeout = 5s;       // from a request's first byte to its complete head, and for its body
  Duration write_timeout = 5s;      // for each kWritePieceBytes of an answer
  Duration idle_timeout = 60s;      // between two requests of a connection
  Duration handshake_timeout = 2s;  // TLS
  std::uint64_t body_bytes_max = 4 << 20;
  std::uint64_t header_bytes_max = 16 << 10;
  std::uint32_t concurrency_per_route = 512;
  std::uint32_t max_conns = 1024;
  std::uint32_t conns_per_ip = 512;        // of these; of IPv6 each /64 is one address
  std::uint32_t accept_rate_per_ip = 500;  // connections per second
  std::uint32_t accept_burst_per_ip = 1000;
  std::uint32_t decompression_ratio_max = 10;
  std::uint64_t decompressed_bytes_max = 32 << 20;
  std::uint32_t h2_streams_max = 128;        // at once, per connection
  std::uint64_t unsent_bytes_max = 8 << 20;  // of answers that wait for their HTTP/2 peer, per connection
};

static_assert(HttpLimits().conns_per_ip <= HttpLimits().max_conns);
static_assert(HttpLimits().body_bytes_max <= HttpLimits().decompressed_bytes_max);

}  // namespace hyperscale::runtime

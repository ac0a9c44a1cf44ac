// Limits of the framed transport; docs/configuration.md lists those that can be set.
#pragma once

#include "base/time.h"
#include "wire/limits.h"

#include <cstddef>
#include <cstdint>

namespace hyperscale::runtime {

struct FramedLimits {
  std::size_t max_frame_bytes = wire::kMaxFrameBytesDefault;
  std::uint32_t max_conns = 1024;
  Duration read_timeout = 5s;   // for one frame, from its first byte to its last
  Duration write_timeout = 5s;  // for one write
  Duration idle_timeout = 60s;  // between frames, with nothing in flight
  Duration handshake_timeout = 2s;
  double accept_rate_per_ip = 500;
  double accept_burst_per_ip = 1000;
};

inline constexpr std::size_t kReadChunkBytes = std::size_t{16} * 1024;
// A request beyond this is answered Busy.
inline constexpr std::size_t kInFlightPerConnectionMax = 128;
// A peer with more unread answers than this is disconnected.
inline constexpr std::size_t kOutboxFramesMax = 2 * kInFlightPerConnectionMax;
// How long to wait for the peer's half-close; part of a node's drain, so it is short.
inline constexpr Duration kLingerMax = 250ms;

}  // namespace hyperscale::runtime

// Every limit of the target server, by name. Beyond a limit a request is refused, never cut silently.
#pragma once

#include "base/time.h"

#include <cstddef>
#include <cstdint>

namespace hyperscale::target {

inline constexpr std::size_t kHeadBytesMax = 32 << 10;         // 431 beyond
inline constexpr std::size_t kFieldsMax = 128;                 // 431 beyond
inline constexpr std::size_t kChunkLineBytesMax = 4 << 10;     // size and extensions; 400 beyond
inline constexpr std::size_t kTrailerBytesMax = 8 << 10;       // 431 beyond
inline constexpr std::uint64_t kBodyBytesMax = 1ull << 30;     // 413 beyond; bodies are counted and dropped
inline constexpr std::size_t kKeptBodyBytesMax = 1 << 20;      // of a body that /echo gives back; 413 beyond
inline constexpr std::uint64_t kAnswerBytesMax = 64ull << 30;  // /size, /chunked, /drip
inline constexpr std::uint64_t kChunkBytesMax = 1 << 20;       // one chunk of /chunked
inline constexpr std::uint64_t kGzipBytesMax = 16 << 20;       // /gzip, before compression
inline constexpr std::size_t kExtraFieldsMax = 16;             // cookies of /cookie/set; 400 beyond
inline constexpr Duration kDelayMax = 1h;                      // /delay, /stall, /drip
inline constexpr std::uint32_t kRedirectsMax = 1000;           // /redirect
inline constexpr std::size_t kStashBytesMax = 64 << 10;        // input that waits for an answer; then reading pauses
inline constexpr std::size_t kQueuedBytesMax = 256 << 10;      // output that waits for the peer; then reading pauses
inline constexpr std::size_t kBodyBlockBytes = 64 << 10;       // how much of a large body is made at a time
inline constexpr std::size_t kDripBytes = 64;                  // one group of /drip
inline constexpr std::uint32_t kStreamsMax = 1024;             // concurrent HTTP/2 streams of a connection
inline constexpr std::uint32_t kStreamWindowBytes = 1 << 20;   // HTTP/2 flow control, receiving
inline constexpr std::uint32_t kConnectionWindowBytes = 16 << 20;
inline constexpr std::size_t kLineBytesMax = 64 << 10;     // of the line protocol; longer ones end the connection
inline constexpr std::size_t kLineSizeMax = 64 << 20;      // SIZE
inline constexpr std::size_t kDelayedDatagramsMax = 4096;  // of one core, after DELAY; others are dropped
inline constexpr Duration kLingerMax = 1s;                 // how long a closed half waits for the peer's half
inline constexpr Duration kStopGrace = 1s;                 // how long stop() waits for started answers
inline constexpr unsigned kCoresMax = 256;

static_assert(kKeptBodyBytesMax <= kBodyBytesMax);
static_assert(kChunkBytesMax <= kAnswerBytesMax);
static_assert(kBodyBlockBytes <= kQueuedBytesMax, "a block of an answer does not pause reading");
static_assert(kStreamWindowBytes <= kConnectionWindowBytes && kConnectionWindowBytes <= INT32_MAX);

}  // namespace hyperscale::target

// The nine bytes that head every HTTP/2 frame, and the numbers of RFC 9113: types, flags, settings, error codes.
//
// No state, no I/O. Writers append to a byte vector and never fail.
#pragma once

#include "base/bytes.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hyperscale::load::http2 {

inline constexpr std::size_t kFrameHeadBytes = 9;
// What a peer may send unless SETTINGS_MAX_FRAME_SIZE changes it; we never send that setting.
inline constexpr std::uint32_t kFrameBytesMax = 16384;
inline constexpr std::uint32_t kLargestFrameSize = (1u << 24) - 1;
inline constexpr std::uint32_t kLargestWindow = (1u << 31) - 1;
inline constexpr std::uint32_t kFirstWindow = 65535;
inline constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

enum class FrameType : std::uint8_t {
  kData = 0,
  kHeaders = 1,
  kPriority = 2,
  kRstStream = 3,
  kSettings = 4,
  kPushPromise = 5,
  kPing = 6,
  kGoAway = 7,
  kWindowUpdate = 8,
  kContinuation = 9,
};

inline constexpr std::uint8_t kFlagAck = 0x1;
inline constexpr std::uint8_t kFlagEndStream = 0x1;
inline constexpr std::uint8_t kFlagEndHeaders = 0x4;
inline constexpr std::uint8_t kFlagPadded = 0x8;
inline constexpr std::uint8_t kFlagPriority = 0x20;

enum class Setting : std::uint16_t {
  kHeaderTableSize = 1,
  kEnablePush = 2,
  kMaxConcurrentStreams = 3,
  kInitialWindowSize = 4,
  kMaxFrameSize = 5,
};

enum class ErrorCode : std::uint32_t {
  kNoError = 0,
  kProtocolError = 1,
  kFlowControlError = 3,
  kStreamClosed = 5,
  kFrameSizeError = 6,
  kRefusedStream = 7,
  kCancel = 8,
  kCompressionError = 9,
  kEnhanceYourCalm = 11,
};

// The name in RFC 9113, section 7; also of codes that this program never sends.
std::string_view error_name(std::uint32_t code);

struct FrameHead {
  std::uint32_t length = 0;  // of the payload
  FrameType type = FrameType::kData;
  std::uint8_t flags = 0;
  std::uint32_t stream_id = 0;

  bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
};

inline std::uint16_t read_u16(const std::uint8_t* at) {
  return static_cast<std::uint16_t>(at[0] << 8 | at[1]);
}

inline std::uint32_t read_u32(const std::uint8_t* at) {
  return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

// Stream numbers and window increments have 31 bits; the first bit is reserved and ignored.
inline std::uint32_t read_u31(const std::uint8_t* at) {
  return read_u32(at) & 0x7fffffff;
}

// REQUIRES: kFrameHeadBytes bytes.
inline FrameHead read_frame_head(const std::uint8_t* at) {
  return {.length = std::uint32_t{at[0]} << 16 | std::uint32_t{at[1]} << 8 | at[2],
          .type = static_cast<FrameType>(at[3]),
          .flags = at[4],
          .stream_id = read_u31(at + 5)};
}

using FrameBytes = std::vector<std::uint8_t>;

void append_frame_head(FrameBytes& out, const FrameHead& head);
void append_rst_stream(FrameBytes& out, std::uint32_t stream_id, ErrorCode code);
void append_window_update(FrameBytes& out, std::uint32_t stream_id, std::uint32_t increment);
void append_settings_ack(FrameBytes& out);
void append_ping_ack(FrameBytes& out, ByteView opaque);
void append_goaway(FrameBytes& out, ErrorCode code, std::string_view text);
// What a client sends first: the preface, no push, windows of `window` bytes for streams and for the connection.
void append_client_preface(FrameBytes& out, std::uint32_t window);

}  // namespace hyperscale::load::http2

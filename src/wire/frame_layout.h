// Offsets of the fields of a frame header; shared by writer and reader.
#pragma once

#include "base/bytes.h"
#include "base/crc32c.h"
#include "wire/frame.h"

#include <cstddef>
#include <cstdint>

namespace hyperscale::wire::layout {

inline constexpr std::size_t kLengthAt = 0;
inline constexpr std::size_t kVersionAt = 4;
inline constexpr std::size_t kTypeAt = 5;
inline constexpr std::size_t kCodeAt = 6;
inline constexpr std::size_t kCorrelationAt = 8;
inline constexpr std::size_t kChecksumAt = 16;
static_assert(kVersionAt == kLengthFieldBytes && kChecksumAt + 4 == kFrameHeaderBytes);

// Covers everything after the length field except itself.
inline std::uint32_t checksum(const FrameHeader& header, ByteView payload) {
  return crc32c(payload, crc32c(ByteView(header).subspan(kVersionAt, kChecksumAt - kVersionAt)));
}

}  // namespace hyperscale::wire::layout

// Sizes of the frame format; docs/formats/frame.md has the byte table.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hyperscale::wire {

inline constexpr std::uint8_t kFrameVersion = 1;

// The length field counts the bytes that follow it.
inline constexpr std::size_t kLengthFieldBytes = 4;
inline constexpr std::size_t kFrameHeaderBytes = 20;
inline constexpr std::size_t kFrameLengthMin = kFrameHeaderBytes - kLengthFieldBytes;

// The largest value of the length field that a decoder accepts, unless configured otherwise, and what can be
// configured.
inline constexpr std::size_t kMaxFrameBytesDefault = std::size_t{1} << 20;
inline constexpr std::size_t kMaxFrameBytesCeiling = std::size_t{64} << 20;

inline constexpr std::size_t kMethodNameBytesMax = 255;

}  // namespace hyperscale::wire

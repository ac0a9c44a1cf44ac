// Sizes of the frame format and of sealed messages; docs/formats/frame.md and docs/formats/wire.md have the byte
// tables.
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

// A sealed message: form, key id, salt, nonce; then, encrypted, its id and content; then the tag.
inline constexpr std::size_t kSealKeyIdBytes = 4;
inline constexpr std::size_t kSealSaltBytes = 16;
inline constexpr std::size_t kSealNonceBytes = 12;
inline constexpr std::size_t kSealHeaderBytes = 1 + kSealKeyIdBytes + kSealSaltBytes + kSealNonceBytes;
inline constexpr std::size_t kSealIdBytes = 8;
inline constexpr std::size_t kSealTagBytes = 16;
inline constexpr std::size_t kSealOverheadBytes = kSealHeaderBytes + kSealIdBytes + kSealTagBytes;

// A sealed datagram is below the path MTU of all known networks.
inline constexpr std::size_t kDatagramBytesMax = 1400;
inline constexpr std::size_t kClusterMessageBytesMax = kDatagramBytesMax - kSealOverheadBytes;

// SEC-6. A sealed payload and its header fit a frame of kMaxFrameBytesDefault, which is the megabyte of the catalogue.
inline constexpr std::size_t kSealedFrameBytesMax = kMaxFrameBytesDefault - kFrameLengthMin;
inline constexpr std::size_t kCompressedBytesMax = kSealedFrameBytesMax - kSealOverheadBytes;
inline constexpr std::size_t kDecompressedBytesMax = std::size_t{50} << 20;
inline constexpr std::size_t kDecompressionRatioMax = 100;

static_assert(kMaxFrameBytesDefault <= kMaxFrameBytesCeiling && kMaxFrameBytesCeiling <= UINT32_MAX);
static_assert(kMethodNameBytesMax <= UINT8_MAX, "its length is one byte");
static_assert(1 + kMethodNameBytesMax <= kSealedFrameBytesMax);
static_assert(kSealOverheadBytes < kDatagramBytesMax && kSealOverheadBytes < kSealedFrameBytesMax);
static_assert(kCompressedBytesMax <= kDecompressedBytesMax, "content that does not compress is sent as it is");

}  // namespace hyperscale::wire

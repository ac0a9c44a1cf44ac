// SlotHeader: the entry of a header ring for one frame. 256 bytes; layout in docs/formats/shm.md.
//
// The first 64 bytes change with each frame and are read and written as eight words (frame_ring.h); the tensor header
// behind them is the same for every frame and written once. Pure functions; any thread.
#pragma once

#include "base/endian.h"
#include "stream/policy/region_layout.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hyperscale::stream {

inline constexpr std::size_t kWordBytes = sizeof(std::uint64_t);
inline constexpr std::size_t kSlotHeaderWords = kSlotHeaderBytes / kWordBytes;
inline constexpr std::size_t kFrameHeaderWords = 8;  // the first of which is the commit word

struct FrameHeader {
  std::uint32_t values_bytes = 0;
  std::uint32_t payload_slot = 0;
  std::uint64_t timestamp_ns = 0;  // of its first sample
  std::uint64_t first_sample = 0;  // how many samples the stream had before this frame

  bool operator==(const FrameHeader&) const = default;
};

using FrameHeaderWords = std::array<std::uint64_t, kFrameHeaderWords>;

// Word 0, the commit word, is left zero.
FrameHeaderWords to_words(const FrameHeader& header);
FrameHeader from_words(const FrameHeaderWords& words);

// Writes the constant part of the slot: the tensor header describes one row of bytes.
void prepare_slot(std::byte* slot, std::uint32_t stride_bytes);

}  // namespace hyperscale::stream

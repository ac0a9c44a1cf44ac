// RegionLayout: how large the regions of a stream are. A plain value.
#pragma once

#include "base/result.h"

#include <cstdint>

namespace hyperscale::stream {

inline constexpr std::uint32_t kLayoutVersion = 1;
inline constexpr std::uint64_t kSuperblockBytes = 64;
inline constexpr std::uint32_t kSlotHeaderBytes = 256;
inline constexpr std::uint16_t kPoolNumber = 1;  // a stream has one pool
inline constexpr std::uint32_t kSlotsMax = 1U << 20;
inline constexpr std::uint32_t kStrideBytesMax = 1U << 20;
// More is a bug of the caller; requesting it could exhaust the memory of the machine first.
inline constexpr std::uint64_t kRegionBytesMax = std::uint64_t{2} << 30;
// Of the sparse file of counters; only recorded pages use memory.
inline constexpr std::uint64_t kSparseBytesMax = std::uint64_t{64} << 30;

struct RegionLayout {
  std::uint32_t nslots = 1024;
  std::uint32_t stride_bytes = 4096;
  std::uint64_t counters_reserved_bytes = 0;  // there from the start
  std::uint64_t counters_bytes = 0;           // with what is reserved on first use

  std::uint64_t header_file_bytes() const { return kSuperblockBytes + std::uint64_t{nslots} * kSlotHeaderBytes; }
  std::uint64_t pool_file_bytes() const { return kSuperblockBytes + std::uint64_t{nslots} * stride_bytes; }
  std::uint64_t reserved_bytes() const { return header_file_bytes() + pool_file_bytes() + counters_reserved_bytes; }

  // kInvalidArgument for numbers that are not powers of two, kTooLarge beyond the limits.
  Status check() const;
};

}  // namespace hyperscale::stream

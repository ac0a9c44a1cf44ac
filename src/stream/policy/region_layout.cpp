#include "stream/policy/region_layout.h"

#include <bit>

#include <fmt/format.h>

namespace hyperscale::stream {

Status RegionLayout::check() const {
  const bool stride_fits = std::has_single_bit(stride_bytes) && stride_bytes >= kSuperblockBytes;
  if (!std::has_single_bit(nslots) || !stride_fits || counters_reserved_bytes > counters_bytes)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a ring of {} slots with {} bytes each: both are powers of two, and a slot has at least {}",
                            nslots, stride_bytes, kSuperblockBytes));
  if (nslots > kSlotsMax || stride_bytes > kStrideBytesMax || counters_bytes > kSparseBytesMax ||
      pool_file_bytes() > kRegionBytesMax || counters_reserved_bytes > kRegionBytesMax)
    return fail(ErrorCode::kTooLarge, fmt::format("shared memory of {} bytes; at most {} per region are allowed",
                                                  reserved_bytes(), kRegionBytesMax));
  return {};
}

}  // namespace hyperscale::stream

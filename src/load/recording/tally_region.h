// Offset of an executor's tallies in its stream's region of counters: one page behind the superblock, so that pages of
// tallies are pages of the file. Pure; any thread.
#pragma once

#include "load/recording/tally_layout.h"
#include "stream/mapped_region.h"
#include "stream/policy/region_layout.h"

namespace hyperscale::load {

inline constexpr std::size_t kTalliesAt = kPageBytes;

inline stream::RegionLayout region_layout(const TallyShape& shape) {
  return {.counters_reserved_bytes = kTalliesAt + tally_reserved_bytes(shape),
          .counters_bytes = kTalliesAt + tally_bytes(shape)};
}

inline void* tallies_in(const stream::MappedRegion& counters) {
  return counters.at(kTalliesAt);
}

}  // namespace hyperscale::load

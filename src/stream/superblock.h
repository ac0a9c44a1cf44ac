// Superblock: the first 64 bytes of every region file. Layout: docs/formats/shm.md.
//
// The driver writes it; the magic comes last, so a superblock with the right magic is complete. Pid and activity change
// later, each in one store. read_superblock() validates the bytes and returns nothing if they are not a superblock.
#pragma once

#include "stream/policy/region_layout.h"
#include "stream/policy/stream_ids.h"

#include <cstdint>
#include <optional>

namespace hyperscale::stream {

inline constexpr std::uint64_t kRegionMagic = 0x544F504C53484D31;

enum class RegionType : std::uint16_t { kHeaderRing = 1, kPayloadPool = 2, kCounters = 3 };

struct Superblock {
  Epoch epoch;
  StreamNumber stream;
  RegionType type = RegionType::kHeaderRing;
  std::uint16_t pool = 0;  // zero except in pools
  std::uint32_t nslots = 0;
  std::uint32_t slot_bytes = 0;
  std::uint32_t stride_bytes = 0;
  std::uint64_t pid = 0;          // of the producer; zero: no owner
  std::uint64_t started_ns = 0;   // when that process began
  std::uint64_t activity_ns = 0;  // CLOCK_BOOTTIME

  bool operator==(const Superblock&) const = default;
};

// `at` has kSuperblockBytes, aligned to 8.
void publish_superblock(void* at, const Superblock& block);
std::optional<Superblock> read_superblock(const void* at);
void set_owner(void* at, std::uint64_t pid, std::uint64_t started_ns);
void set_activity(void* at, std::uint64_t now_ns);

}  // namespace hyperscale::stream

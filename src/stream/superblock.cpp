#include "stream/superblock.h"

#include "base/endian.h"

#include <array>
#include <atomic>
#include <cstring>

namespace hyperscale::stream {
namespace {

constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kEpochAt = 12;
constexpr std::size_t kStreamAt = 20;
constexpr std::size_t kTypeAt = 24;
constexpr std::size_t kPoolAt = 26;
constexpr std::size_t kSlotsAt = 28;
constexpr std::size_t kSlotBytesAt = 32;
constexpr std::size_t kStrideAt = 36;
constexpr std::size_t kPidAt = 40;
constexpr std::size_t kStartedAt = 48;
constexpr std::size_t kActivityAt = 56;
constexpr std::size_t kWords = kSuperblockBytes / sizeof(std::uint64_t);

using Bytes = std::array<std::uint8_t, kSuperblockBytes>;

std::atomic_ref<std::uint64_t> word(const void* at, std::size_t offset) {
  auto* bytes = static_cast<std::uint8_t*>(const_cast<void*>(at));
  return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(bytes + offset));
}

}  // namespace

void publish_superblock(void* at, const Superblock& block) {
  Bytes bytes{};
  store_le64(bytes.data(), kRegionMagic);
  store_le32(bytes.data() + kVersionAt, kLayoutVersion);
  store_le64(bytes.data() + kEpochAt, block.epoch.value());
  store_le32(bytes.data() + kStreamAt, block.stream.value());
  store_le16(bytes.data() + kTypeAt, static_cast<std::uint16_t>(block.type));
  store_le16(bytes.data() + kPoolAt, block.pool);
  store_le32(bytes.data() + kSlotsAt, block.nslots);
  store_le32(bytes.data() + kSlotBytesAt, block.slot_bytes);
  store_le32(bytes.data() + kStrideAt, block.stride_bytes);
  store_le64(bytes.data() + kPidAt, block.pid);
  store_le64(bytes.data() + kStartedAt, block.started_ns);
  store_le64(bytes.data() + kActivityAt, block.activity_ns);
  std::array<std::uint64_t, kWords> words{};
  std::memcpy(words.data(), bytes.data(), bytes.size());
  for (std::size_t i = kWords; i-- > 0;) word(at, i * sizeof(std::uint64_t)).store(words[i], std::memory_order_release);
}

std::optional<Superblock> read_superblock(const void* at) {
  std::array<std::uint64_t, kWords> words{};
  for (std::size_t i = 0; i < kWords; ++i)
    words[i] = word(at, i * sizeof(std::uint64_t)).load(std::memory_order_acquire);
  Bytes bytes{};
  std::memcpy(bytes.data(), words.data(), bytes.size());
  if (load_le64(bytes.data()) != kRegionMagic || load_le32(bytes.data() + kVersionAt) != kLayoutVersion)
    return std::nullopt;
  const std::uint16_t type = load_le16(bytes.data() + kTypeAt);
  if (type < static_cast<std::uint16_t>(RegionType::kHeaderRing) ||
      type > static_cast<std::uint16_t>(RegionType::kCounters))
    return std::nullopt;
  return Superblock{.epoch = Epoch(load_le64(bytes.data() + kEpochAt)),
                    .stream = StreamNumber(load_le32(bytes.data() + kStreamAt)),
                    .type = static_cast<RegionType>(type),
                    .pool = load_le16(bytes.data() + kPoolAt),
                    .nslots = load_le32(bytes.data() + kSlotsAt),
                    .slot_bytes = load_le32(bytes.data() + kSlotBytesAt),
                    .stride_bytes = load_le32(bytes.data() + kStrideAt),
                    .pid = load_le64(bytes.data() + kPidAt),
                    .started_ns = load_le64(bytes.data() + kStartedAt),
                    .activity_ns = load_le64(bytes.data() + kActivityAt)};
}

void set_owner(void* at, std::uint64_t pid, std::uint64_t started_ns) {
  word(at, kStartedAt).store(started_ns, std::memory_order_release);
  word(at, kPidAt).store(pid, std::memory_order_release);
}

void set_activity(void* at, std::uint64_t now_ns) {
  word(at, kActivityAt).store(now_ns, std::memory_order_release);
}

}  // namespace hyperscale::stream

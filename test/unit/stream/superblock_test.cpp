#include "stream/superblock.h"

#include "stream/slot_header.h"

#include <array>
#include <cstring>

#include <gtest/gtest.h>

namespace hyperscale::stream {
namespace {

struct alignas(8) Memory {
  std::array<std::uint8_t, kSuperblockBytes> bytes{};
};

constexpr Superblock kBlock{.epoch = Epoch(0x0102030405060708),
                            .stream = StreamNumber(0x11121314),
                            .type = RegionType::kPayloadPool,
                            .pool = 1,
                            .nslots = 1024,
                            .slot_bytes = 4096,
                            .stride_bytes = 4096,
                            .pid = 77,
                            .started_ns = 88,
                            .activity_ns = 99};

// The example of docs/formats/shm.md.
TEST(Superblock, HasItsBytesWhereTheFormatSays) {
  Memory memory;
  publish_superblock(memory.bytes.data(), kBlock);
  const std::array<std::uint8_t, kSuperblockBytes> expected = {
      0x31, 0x4d, 0x48, 0x53, 0x4c, 0x50, 0x4f, 0x54, 0x01, 0x00, 0x00, 0x00, 0x08, 0x07, 0x06, 0x05,
      0x04, 0x03, 0x02, 0x01, 0x14, 0x13, 0x12, 0x11, 0x02, 0x00, 0x01, 0x00, 0x00, 0x04, 0x00, 0x00,
      0x00, 0x10, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x4d, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x58, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x63, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
  EXPECT_EQ(memory.bytes, expected);
  EXPECT_EQ(read_superblock(memory.bytes.data()), kBlock);
}

TEST(Superblock, IsNoneWithoutItsMagicVersionOrType) {
  for (const std::size_t at : {0U, 8U, 24U}) {
    Memory memory;
    publish_superblock(memory.bytes.data(), kBlock);
    memory.bytes[at] ^= 0xff;
    EXPECT_EQ(read_superblock(memory.bytes.data()), std::nullopt) << at;
  }
  EXPECT_EQ(read_superblock(Memory().bytes.data()), std::nullopt) << "a file that was never finished";
}

TEST(Superblock, OwnerAndActivityChangeAlone) {
  Memory memory;
  publish_superblock(memory.bytes.data(), kBlock);
  set_owner(memory.bytes.data(), 5, 6);
  set_activity(memory.bytes.data(), 7);
  Superblock expected = kBlock;
  expected.pid = 5;
  expected.started_ns = 6;
  expected.activity_ns = 7;
  EXPECT_EQ(read_superblock(memory.bytes.data()), expected);
}

TEST(SlotHeader, ComesBackAsItWent) {
  const FrameHeader header{
      .values_bytes = 640, .payload_slot = 3, .timestamp_ns = UINT64_MAX - 5, .first_sample = 1 << 30};
  EXPECT_EQ(from_words(to_words(header)), header);
  std::array<std::uint8_t, 64> bytes{};
  std::memcpy(bytes.data(), to_words(header).data(), bytes.size());
  EXPECT_EQ(load_le32(bytes.data() + 8), 640U);
  EXPECT_EQ(load_le32(bytes.data() + 12), 3U);
  EXPECT_EQ(load_le16(bytes.data() + 16), 1U);
  EXPECT_EQ(load_le64(bytes.data() + 22), UINT64_MAX - 5);
  EXPECT_EQ(load_le32(bytes.data() + 60), 192U);
}

}  // namespace
}  // namespace hyperscale::stream

#include "base/endian.h"

#include <array>

#include <rapidcheck/gtest.h>

namespace hyperscale {
namespace {

constexpr std::array<std::uint8_t, 9> kBytes{0xee, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88};
constexpr const std::uint8_t* kOdd = kBytes.data() + 1;

static_assert(load_be16(kOdd) == 0x0102 && load_le16(kOdd) == 0x0201);
static_assert(load_be32(kOdd) == 0x01020304 && load_le32(kOdd) == 0x04030201);
static_assert(load_be64(kOdd) == 0x0102030405060788 && load_le64(kOdd) == 0x8807060504030201);

TEST(Endian, StoresWriteExactlyTheirBytes) {
  std::array<std::uint8_t, 5> bytes;
  bytes.fill(0xaa);
  store_be32(bytes.data() + 1, 0x01020304);
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 5>{0xaa, 1, 2, 3, 4}));
  store_le16(bytes.data(), 0xbbcc);
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 5>{0xcc, 0xbb, 2, 3, 4}));
}

RC_GTEST_PROP(Endian, StoredWordsLoadBack, (std::uint16_t a, std::uint32_t b, std::uint64_t c)) {
  std::array<std::uint8_t, 8> bytes;
  store_be16(bytes.data(), a);
  RC_ASSERT(load_be16(bytes.data()) == a);
  store_le16(bytes.data(), a);
  RC_ASSERT(load_le16(bytes.data()) == a);
  store_be32(bytes.data(), b);
  RC_ASSERT(load_be32(bytes.data()) == b);
  store_le32(bytes.data(), b);
  RC_ASSERT(load_le32(bytes.data()) == b);
  store_be64(bytes.data(), c);
  RC_ASSERT(load_be64(bytes.data()) == c);
  store_le64(bytes.data(), c);
  RC_ASSERT(load_le64(bytes.data()) == c);
}

}  // namespace
}  // namespace hyperscale

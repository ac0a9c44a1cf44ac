#include "base/crc32c.h"

#include <numeric>
#include <vector>

#include <rapidcheck/gtest.h>

namespace hyperscale {
namespace {

struct Vector {
  std::vector<std::uint8_t> bytes;
  std::uint32_t crc;
};

std::vector<Vector> known_answers() {
  std::vector<std::uint8_t> rising(32);
  std::iota(rising.begin(), rising.end(), std::uint8_t{0});
  const std::string digits = "123456789";
  return {{{}, 0},
          {std::vector<std::uint8_t>(digits.begin(), digits.end()), 0xe3069283},
          // RFC 3720, appendix B.4
          {std::vector<std::uint8_t>(32, 0x00), 0x8a9136aa},
          {std::vector<std::uint8_t>(32, 0xff), 0x62a8ab43},
          {rising, 0x46dd794e},
          {{rising.rbegin(), rising.rend()}, 0x113fdb5c},
          {{0x01, 0xc0, 0, 0,    0, 0, 0, 0,    0,    0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 0x04, 0,
            0,    0,    0, 0x14, 0, 0, 0, 0x18, 0x28, 0, 0, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0,    0},
           0xd9963a56}};
}

TEST(Crc32c, KnownAnswers) {
  for (const Vector& vector : known_answers()) {
    EXPECT_EQ(crc32c_table(vector.bytes), vector.crc);
    EXPECT_EQ(crc32c(vector.bytes), vector.crc);
    if (crc32c_hardware_available()) {
      EXPECT_EQ(crc32c_hardware(vector.bytes), vector.crc);
    }
  }
}

RC_GTEST_PROP(Crc32c, TableAndInstructionAgreeForEverySplit, (const std::vector<std::uint8_t>& bytes)) {
  const ByteView view(bytes);
  const std::uint32_t whole = crc32c_table(view);
  RC_ASSERT(crc32c(view) == whole);
  for (std::size_t at = 0; at <= bytes.size(); ++at) {
    const ByteView first = view.first(at);
    const ByteView second = view.subspan(at);
    RC_ASSERT(crc32c_table(second, crc32c_table(first)) == whole);
    if (crc32c_hardware_available()) {
      RC_ASSERT(crc32c_hardware(second, crc32c_hardware(first)) == whole);
      RC_ASSERT(crc32c_table(second, crc32c_hardware(first)) == whole);
    }
  }
}

RC_GTEST_PROP(Crc32c, OneFlippedBitIsFound, ()) {
  auto bytes = *rc::gen::nonEmpty<std::vector<std::uint8_t>>();
  const std::uint32_t before = crc32c(bytes);
  const auto bit = *rc::gen::inRange<std::size_t>(0, bytes.size() * 8);
  bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ 1U << bit % 8);
  RC_ASSERT(crc32c(bytes) != before);
}

}  // namespace
}  // namespace hyperscale

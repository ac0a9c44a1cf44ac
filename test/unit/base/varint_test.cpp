#include "base/varint.h"

#include <rapidcheck/gtest.h>

namespace hyperscale {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::optional<std::uint64_t> read_one(const Bytes& bytes) {
  return VarintReader(bytes).next();
}

TEST(Varint, KnownForms) {
  Bytes bytes;
  for (const std::uint64_t value : {0ULL, 127ULL, 128ULL, 300ULL}) append_varint(bytes, value);
  EXPECT_EQ(bytes, (Bytes{0x00, 0x7f, 0x80, 0x01, 0xac, 0x02}));
  Bytes largest;
  append_varint(largest, UINT64_MAX);
  EXPECT_EQ(largest, (Bytes{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}));
}

TEST(Varint, RejectsSecondForms) {
  EXPECT_EQ(read_one({}), std::nullopt);
  EXPECT_EQ(read_one({0x80}), std::nullopt);                                                        // cut short
  EXPECT_EQ(read_one({0x80, 0x00}), std::nullopt);                                                  // zero in two bytes
  EXPECT_EQ(read_one(Bytes(11, 0x80)), std::nullopt);                                               // never ends
  EXPECT_EQ(read_one({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}), std::nullopt);  // 65 bits
}

TEST(Varint, FailureStays) {
  const Bytes bytes{0x80, 0x00, 0x01};
  VarintReader reader(bytes);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.failed());
  EXPECT_FALSE(reader.at_end());
}

RC_GTEST_PROP(Varint, RoundTrip, (const std::vector<std::uint64_t>& values)) {
  Bytes bytes;
  for (const std::uint64_t value : values) append_varint(bytes, value);
  VarintReader reader(bytes);
  for (const std::uint64_t value : values) RC_ASSERT(reader.next() == value);
  RC_ASSERT(reader.at_end());
}

RC_GTEST_PROP(Varint, WhatIsReadIsWrittenTheSame, (const Bytes& bytes)) {
  VarintReader reader(bytes);
  Bytes written;
  while (const auto value = reader.next()) append_varint(written, *value);
  RC_ASSERT(written.size() <= bytes.size());
  RC_ASSERT(std::equal(written.begin(), written.end(), bytes.begin()));
}

}  // namespace
}  // namespace hyperscale

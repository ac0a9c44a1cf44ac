#include "wire/compression.h"

#include "base/endian.h"
#include "base/prng.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <zlib.h>

namespace hyperscale::wire {
namespace {

std::vector<std::uint8_t> random_bytes(std::size_t count) {
  Prng prng(count);
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(prng.next());
  return bytes;
}

// A packed payload whose header says `claimed`, whatever is in it.
std::vector<std::uint8_t> packed_by_hand(const std::vector<std::uint8_t>& plain, std::uint32_t claimed) {
  z_stream z{};
  EXPECT_EQ(deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::vector<std::uint8_t> packed(5 + deflateBound(&z, plain.size()));
  packed[0] = 1;
  store_be32(packed.data() + 1, claimed);
  z.next_in = const_cast<Bytef*>(plain.data());
  z.avail_in = static_cast<uInt>(plain.size());
  z.next_out = packed.data() + 5;
  z.avail_out = static_cast<uInt>(packed.size() - 5);
  EXPECT_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
  packed.resize(5 + z.total_out);
  deflateEnd(&z);
  return packed;
}

ErrorCode refusal(ByteView packed, const CompressionLimits& limits = {}) {
  const Result<SharedBytes> plain = decompress(packed, limits);
  EXPECT_FALSE(plain);
  return plain ? ErrorCode::kInternal : plain.error().code;
}

TEST(Compression, WhatIsPackedUnpacks) {
  EXPECT_TRUE(rc::check("round trip", [](std::uint64_t seed) {
    Prng prng(seed);
    std::vector<std::uint8_t> plain(prng.below(20'000));
    const std::uint64_t letters = 1 + prng.below(256);
    for (std::uint8_t& byte : plain) byte = static_cast<std::uint8_t>(prng.below(letters));
    const auto packed = compress(plain);
    RC_ASSERT(packed.has_value());
    RC_ASSERT(packed->size() <= plain.size() + 1);
    const auto unpacked = decompress(*packed);
    RC_ASSERT(unpacked.has_value());
    RC_ASSERT(std::ranges::equal(unpacked->view(), plain));
  }));
}

TEST(Compression, MakesTextSmaller) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "{\"step\":\"login\",\"count\":" + std::to_string(i) + "},";
  EXPECT_LT(compress(as_bytes(text))->size(), text.size() / 4);
}

// proves: SEC-6
// proves part: ARCH-FRAME-5 (a server, the decoder, unpacking; not that a client stops at a megabyte)
TEST(Compression, AMegabyteIsTheMostThatIsSentOrRead) {
  EXPECT_LE(kCompressedBytesMax, std::size_t{1} << 20);
  EXPECT_GT(kCompressedBytesMax, (std::size_t{1} << 20) - 100);
  const std::vector<std::uint8_t> fits = random_bytes(kCompressedBytesMax - 1);
  const auto packed = compress(fits);
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->size(), kCompressedBytesMax);
  EXPECT_TRUE(decompress(*packed));
  EXPECT_EQ(compress(random_bytes(kCompressedBytesMax)).error().code, ErrorCode::kTooLarge);
  std::vector<std::uint8_t> larger = *packed;
  larger.push_back(0);
  EXPECT_EQ(refusal(larger), ErrorCode::kTooLarge);
}

// proves: SEC-6
// proves part: ARCH-FRAME-5 (a server, the decoder, unpacking; not that a client stops at a megabyte)
TEST(Compression, FiftyMegabytesAreTheMostThatUnpack) {
  EXPECT_EQ(kDecompressedBytesMax, std::size_t{50} << 20);
  std::vector<std::uint8_t> plain(kDecompressedBytesMax, 'z');
  const auto packed = compress(plain);
  ASSERT_TRUE(packed);
  const auto unpacked = decompress(*packed);
  ASSERT_TRUE(unpacked);
  EXPECT_EQ(unpacked->size(), plain.size());
  plain.push_back('z');
  EXPECT_EQ(compress(plain).error().code, ErrorCode::kTooLarge);
  std::vector<std::uint8_t> by_hand = packed_by_hand(plain, static_cast<std::uint32_t>(plain.size()));
  by_hand.resize(plain.size() / kDecompressionRatioMax + 1);
  EXPECT_EQ(refusal(by_hand), ErrorCode::kTooLarge);
}

// proves: SEC-6
// proves part: ARCH-FRAME-5 (a server, the decoder, unpacking; not that a client stops at a megabyte)
TEST(Compression, NothingGrowsMoreThanAHundredTimes) {
  const std::vector<std::uint8_t> plain(100'000, 0);
  std::vector<std::uint8_t> bomb = packed_by_hand(plain, 100'000);
  ASSERT_LT(bomb.size(), 999u);
  EXPECT_EQ(refusal(bomb), ErrorCode::kTooLarge);
  bomb.resize(999);
  EXPECT_EQ(refusal(bomb), ErrorCode::kTooLarge);
  bomb.resize(1000);
  EXPECT_TRUE(decompress(bomb));
  // What we send ourselves is padded to what a reader accepts.
  EXPECT_EQ(compress(plain)->size(), 1000u);
  EXPECT_TRUE(decompress(*compress(plain)));
}

// proves: SEC-6
TEST(Compression, AHeaderThatLiesIsFoundOut) {
  const std::vector<std::uint8_t> plain(5000, 'a');
  for (const std::uint32_t claimed : {0u, 1u, 4999u, 5001u, 60'000u}) {
    std::vector<std::uint8_t> packed = packed_by_hand(plain, claimed);
    packed.resize(1000);
    EXPECT_EQ(refusal(packed), ErrorCode::kProtocol) << claimed;
  }
  EXPECT_EQ(refusal(packed_by_hand(plain, 0xffffffff)), ErrorCode::kTooLarge);
}

TEST(Compression, DamageIsRefused) {
  EXPECT_EQ(refusal({}), ErrorCode::kProtocol);
  const std::vector<std::uint8_t> plain = random_bytes(200);
  std::vector<std::uint8_t> text(1000, 'x');
  std::copy(plain.begin(), plain.end(), text.begin());
  const std::vector<std::uint8_t> packed = *compress(text);
  ASSERT_EQ(packed[0], 1);
  for (std::size_t kept = 0; kept < packed.size(); ++kept) EXPECT_FALSE(decompress(ByteView(packed).first(kept)));
  std::vector<std::uint8_t> other = packed;
  other[0] = 2;
  EXPECT_EQ(refusal(other), ErrorCode::kProtocol);
  other = packed;
  other.push_back(1);
  EXPECT_EQ(refusal(other), ErrorCode::kProtocol);
}

TEST(Compression, LimitsCanBeNarrower) {
  const CompressionLimits narrow{.packed_bytes_max = 64, .plain_bytes_max = 100, .ratio_max = 10};
  EXPECT_TRUE(compress(random_bytes(63), narrow));
  EXPECT_FALSE(compress(random_bytes(64), narrow));
  EXPECT_FALSE(compress(std::vector<std::uint8_t>(101), narrow));
  EXPECT_EQ(refusal(*compress(std::vector<std::uint8_t>(150)), narrow), ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace hyperscale::wire

#include "runtime/http/inflate_guard.h"

#include "deflated.h"

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

constexpr InflateLimits kLimits{.ratio_max = 10, .output_bytes_max = 1 << 20};

Result<std::string> inflate_all(ContentCoding coding, std::string_view input, InflateLimits limits = kLimits,
                                std::size_t step = 4096, std::size_t* steps = nullptr) {
  InflateGuard guard(coding, as_bytes(input), limits);
  while (true) {
    const Result<bool> done = guard.step(step);
    if (steps != nullptr) ++*steps;
    if (!done) return fail(done.error());
    if (*done) return guard.take_output();
  }
}

TEST(InflateGuard, UndoesBothCodingsInStepsOfAnySize) {
  const std::string text = noise(20000);
  for (const std::size_t step : {1u, 7u, 4096u, 1u << 20}) {
    EXPECT_EQ(inflate_all(ContentCoding::kGzip, deflated(text, true), kLimits, step), text);
    EXPECT_EQ(inflate_all(ContentCoding::kDeflate, deflated(text, false), kLimits, step), text);
  }
}

// proves part: NODE-IO-3 (the guard at 10:1, and bombs far above it; not that 10 is the default of a node)
TEST(InflateGuard, InflatingStopsAtRatioOfTenToOne) {
  std::string text;
  std::string bomb;
  // Half noise, half zeros in a proportion that compresses about 20:1.
  for (std::size_t noisy = 400; bomb.size() < 1000; noisy += 50) {
    text = noise(noisy) + std::string(20 * 1024 - noisy, 'z');
    bomb = deflated(text, true);
  }
  ASSERT_GT(text.size(), bomb.size() * 15);
  std::size_t steps = 0;
  const auto result = inflate_all(ContentCoding::kGzip, bomb, kLimits, 512, &steps);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kTooLarge);
  EXPECT_LE((steps - 1) * 512, bomb.size() * 10) << "the rest must not be inflated";
}

TEST(InflateGuard, ExactlyTheRatioIsAllowed) {
  const std::string text = noise(3000) + std::string(6000, 'a');
  const std::string packed = deflated(text, true);
  const std::uint64_t needed = (text.size() + packed.size() - 1) / packed.size();
  EXPECT_TRUE(inflate_all(ContentCoding::kGzip, packed, {needed, 1 << 20}).has_value());
  EXPECT_EQ(inflate_all(ContentCoding::kGzip, packed, {needed - 1, 1 << 20}).error().code, ErrorCode::kTooLarge);
}

TEST(InflateGuard, TheAbsoluteCapHoldsWhateverTheRatio) {
  const std::string text = noise(5000);
  const std::string packed = deflated(text, false);
  EXPECT_EQ(inflate_all(ContentCoding::kDeflate, packed, {10, 4999}).error().code, ErrorCode::kTooLarge);
  EXPECT_TRUE(inflate_all(ContentCoding::kDeflate, packed, {10, 5000}).has_value());
}

TEST(InflateGuard, MalformedAndTruncatedInputIsInvalid) {
  const std::string packed = deflated(noise(500), true);
  std::string flipped = packed;
  flipped[flipped.size() - 5] = static_cast<char>(flipped[flipped.size() - 5] ^ 1);  // in the checksum
  for (const std::string& bad : {std::string("not gzip at all"), packed.substr(0, packed.size() - 1),
                                 packed.substr(0, 5), flipped, std::string()}) {
    const auto result = inflate_all(ContentCoding::kGzip, bad);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, bad.empty() ? result.error().code : ErrorCode::kInvalidArgument);
  }
}

TEST(InflateGuard, OnlyGzipMembersMayFollowEachOther) {
  EXPECT_EQ(inflate_all(ContentCoding::kGzip, deflated("one ", true) + deflated("two", true)), "one two");
  EXPECT_FALSE(inflate_all(ContentCoding::kGzip, deflated("one", true) + "tail").has_value());
  EXPECT_FALSE(inflate_all(ContentCoding::kDeflate, deflated("one", false) + "tail").has_value());
}

TEST(InflateGuard, KnownCodingsOnly) {
  EXPECT_EQ(parse_content_coding(" GZip "), ContentCoding::kGzip);
  EXPECT_EQ(parse_content_coding("deflate"), ContentCoding::kDeflate);
  EXPECT_EQ(parse_content_coding("identity"), ContentCoding::kIdentity);
  EXPECT_EQ(parse_content_coding("br"), std::nullopt);
  EXPECT_EQ(parse_content_coding("gzip, gzip"), std::nullopt);
}

}  // namespace
}  // namespace hyperscale::runtime

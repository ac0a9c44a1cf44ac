#include "base/histogram/histogram_codec.h"

#include "base/crc32c.h"
#include "base/endian.h"
#include "base/varint.h"
#include "histogram_values.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale {
namespace {

using Bytes = std::vector<std::uint8_t>;
using testing::HasSubstr;

Bytes seal(Bytes bytes) {
  const std::uint32_t crc = crc32c(bytes);
  bytes.resize(bytes.size() + 4);
  store_le32(bytes.data() + bytes.size() - 4, crc);
  return bytes;
}

// Right magic, version and checksum around any numbers.
Bytes crafted(const std::vector<std::uint64_t>& numbers) {
  Bytes bytes{'H', 'S', 'L', 'H', kHistogramFormatVersion};
  for (const std::uint64_t number : numbers) append_varint(bytes, number);
  return seal(bytes);
}

constexpr std::uint64_t count_cell(std::uint64_t count) {
  return count << 1;
}
constexpr std::uint64_t run_cell(std::uint64_t length) {
  return length << 1 | 1;
}

TEST(HistogramCodec, KnownBytes) {
  const Bytes empty = HistogramCodec::encode(LatencyHistogram());
  EXPECT_EQ(empty, seal({'H', 'S', 'L', 'H', 1, 0, 0, 0, 0, 0}));
  LatencyHistogram histogram;
  histogram.record_many(1'000ns, 2);
  histogram.record(1'003ns);
  // saturated, minimum, maximum, sum high, sum low; then 2 values, 2 empty buckets, 1 value
  EXPECT_EQ(HistogramCodec::encode(histogram),
            crafted({0, 1'000, 1'003, 0, 3'003, count_cell(2), run_cell(2), count_cell(1)}));
}

RC_GTEST_PROP(HistogramCodec, RoundTrip, (const LatencyHistogram& histogram)) {
  const auto decoded = HistogramCodec::decode(HistogramCodec::encode(histogram));
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(*decoded == histogram);
}

TEST(HistogramCodec, RoundTripAtTheLimits) {
  LatencyHistogram histogram;
  histogram.record_many(Duration::max(), kHistogramCountMax - 2);
  EXPECT_EQ(HistogramCodec::decode(HistogramCodec::encode(histogram)), histogram);
  histogram.record(0s);
  histogram.record(1h);
  EXPECT_EQ(HistogramCodec::decode(HistogramCodec::encode(histogram)), histogram);
}

TEST(HistogramCodec, DenseBucketsCostAboutAByte) {
  LatencyHistogram histogram;
  std::size_t buckets = 0;
  for (Duration value = 1ms; value < 10ms; value = LatencyHistogram::bucket_of(value).high, ++buckets) {
    histogram.record_many(value, 50);
  }
  EXPECT_LT(HistogramCodec::encode(histogram).size(), buckets + 64);
}

Bytes mutate(Bytes bytes) {
  const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
  const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      *place = *rc::gen::arbitrary<std::uint8_t>();
      break;
    case 1:
      bytes.erase(place, bytes.end());
      break;
    case 2:
      bytes.insert(place, *rc::gen::arbitrary<std::uint8_t>());
      break;
    default:
      bytes.erase(place);
      break;
  }
  return bytes;
}

RC_GTEST_PROP(HistogramCodec, MutatedBytesFailOrAreEqual, (const LatencyHistogram& histogram)) {
  const auto decoded = HistogramCodec::decode(mutate(HistogramCodec::encode(histogram)));
  RC_ASSERT((!decoded || *decoded == histogram));
}

// With a right checksum over wrong bytes the checks behind it are on their own: what passes has to be a sound
// histogram.
RC_GTEST_PROP(HistogramCodec, MutatedAndResealedBytesFailOrAreSound, (const LatencyHistogram& histogram)) {
  Bytes bytes = HistogramCodec::encode(histogram);
  bytes.resize(bytes.size() - 4);
  const Bytes resealed = seal(mutate(bytes));
  const auto decoded = HistogramCodec::decode(resealed);
  if (!decoded) return;
  RC_ASSERT(HistogramCodec::encode(*decoded) == resealed);
  RC_ASSERT((decoded->min() <= decoded->mean() && decoded->mean() <= decoded->max()));
  RC_ASSERT(decoded->value_at_percentile(100) == std::min(decoded->max(), kHistogramMax));
}

RC_GTEST_PROP(HistogramCodec, AnyNumbersFailOrAreSound, ()) {
  const auto number = rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(0, 4), rc::gen::inRange<std::uint64_t>(0, 3'000),
                                     rc::gen::arbitrary<std::uint64_t>());
  const Bytes bytes = crafted(*rc::gen::container<std::vector<std::uint64_t>>(number));
  const auto decoded = HistogramCodec::decode(bytes);
  if (decoded) RC_ASSERT(HistogramCodec::encode(*decoded) == bytes);
}

RC_GTEST_PROP(HistogramCodec, AnyBytesAreAnsweredWithoutCrash, (const Bytes& bytes)) {
  RC_ASSERT(!HistogramCodec::decode(bytes));
}

struct Rejected {
  std::vector<std::uint64_t> numbers;
  const char* why;
};

constexpr std::uint64_t kHourNs = 3'600'000'000'000;

TEST(HistogramCodec, EveryRuleIsChecked) {
  const Rejected cases[] = {
      {{0, 0, 0, 0}, "head is cut short"},
      {{0, 1'001, 1'000, 0, 0, count_cell(1)}, "minimum and maximum"},
      {{0, 0, 1ULL << 63, 0, 0, count_cell(1)}, "minimum and maximum"},
      {{0, 1'000, 1'000, 0, 1'000}, "figures without values"},
      {{0, 1'000, 1'000, 0, 1'000, count_cell(0)}, "cell of zero"},
      {{0, 1'000, 1'001, 0, 2'001, count_cell(1), run_cell(0), count_cell(1)}, "cell of zero"},
      {{0, 1'000, 1'000, 0, 1'000, count_cell(1), count_cell(1)}, "behind the maximum"},
      {{0, 1'000, 1'002, 0, 1'002, run_cell(2), count_cell(1)}, "two runs"},
      {{0, 1'000, 1'003, 0, 2'003, count_cell(1), run_cell(1), run_cell(1), count_cell(1)}, "two runs"},
      {{0, 1'000, 1'001, 0, 2'001, count_cell(1), run_cell(1)}, "run beyond"},
      {{0, 1'000, 1'001, 0, 2'001, count_cell(1), run_cell(UINT64_MAX >> 1)}, "run beyond"},
      {{0, 1'000, 1'001, 0, 1'000, count_cell(1)}, "no value at the maximum"},
      {{0, 1'000, 1'001, 0, 0, count_cell(kHistogramCountMax), count_cell(1)}, "more values"},
      {{1, 1'000, 1'000, 0, 1'000, count_cell(1)}, "saturated does not fit the maximum"},
      {{0, kHourNs + 1, kHourNs + 1, 0, kHourNs + 1, count_cell(1)}, "saturated does not fit the maximum"},
      {{2, kHourNs + 1, kHourNs + 1, 0, kHourNs + 1, count_cell(1)}, "saturated does not fit the maximum"},
      {{1, kHourNs + 1, kHourNs + 2, 0, 2 * kHourNs + 3, count_cell(2)}, "saturated does not fit the minimum"},
      {{0, 100, 200, 0, 150, count_cell(1)}, "two extremes"},
      {{0, 1'000, 1'001, 0, 2'000, count_cell(1), count_cell(1)}, "sum"},
      {{0, 1'000, 1'001, 0, 2'002, count_cell(1), count_cell(1)}, "sum"},
      {{0, 1'000, 1'001, 1, 2'001, count_cell(1), count_cell(1)}, "sum"},
  };
  for (const Rejected& rejected : cases) {
    const auto decoded = HistogramCodec::decode(crafted(rejected.numbers));
    ASSERT_FALSE(decoded) << rejected.why;
    EXPECT_EQ(decoded.error().code, ErrorCode::kProtocol);
    EXPECT_THAT(decoded.error().context, HasSubstr(rejected.why));
  }
}

TEST(HistogramCodec, FrameAroundTheNumbersIsChecked) {
  const Bytes good = HistogramCodec::encode(LatencyHistogram());
  Bytes wrong_magic = good;
  wrong_magic[0] = 'X';
  Bytes wrong_crc = good;
  wrong_crc.back() ^= 1;
  Bytes cut_cell{'H', 'S', 'L', 'H', 1, 0, 0, 0, 0, 0, 0x80};
  const std::pair<Bytes, const char*> cases[] = {
      {{}, "too short"},
      {Bytes(good.begin(), good.begin() + 8), "too short"},
      {wrong_magic, "wrong magic"},
      {seal({'H', 'S', 'L', 'H', 2, 0, 0, 0, 0, 0}), "version 2, this program reads 1"},
      {wrong_crc, "wrong checksum"},
      {seal(cut_cell), "cell is cut short"},
  };
  for (const auto& [bytes, why] : cases) {
    const auto decoded = HistogramCodec::decode(bytes);
    ASSERT_FALSE(decoded) << why;
    EXPECT_THAT(decoded.error().context, HasSubstr(why));
  }
}

}  // namespace
}  // namespace hyperscale

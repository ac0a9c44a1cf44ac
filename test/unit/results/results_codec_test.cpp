#include "results/results_codec.h"

#include "base/crc32c.h"
#include "base/endian.h"
#include "results/limits.h"
#include "some_result.h"

#include <limits>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::results {
namespace {

using Bytes = std::vector<std::uint8_t>;
using testing::HasSubstr;

Bytes seal(Bytes bytes) {
  const std::uint32_t crc = crc32c(bytes);
  bytes.resize(bytes.size() + 4);
  store_le32(bytes.data() + bytes.size() - 4, crc);
  return bytes;
}

Bytes unsealed(const RunResult& result) {
  Bytes bytes = *encode(result);
  bytes.resize(bytes.size() - 4);
  return bytes;
}

RC_GTEST_PROP(ResultsCodec, RoundTrip, (std::uint64_t seed)) {
  const RunResult result = some_result(seed);
  const auto bytes = encode(result);
  RC_ASSERT(bytes.has_value());
  const auto decoded = decode_result(*bytes);
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(*decoded == result);
  RC_ASSERT(*encode(*decoded) == *bytes);
}

TEST(ResultsCodec, NegativeNumbersComeBack) {
  RunResult result;
  result.started = WallTime::from_ns(INT64_MIN);
  result.elapsed = Duration(-1);
  result.planned = Duration::max();
  result.executors = {ExecutorReport{.index = 0, .core = INT32_MIN, .end = ExecutorEnd::kFinished, .message = ""}};
  EXPECT_EQ(decode_result(*encode(result)), result);
}

TEST(ResultsCodec, ValuesOfMetricsAreBounded) {
  RunResult result;
  result.metrics.resize(1);
  result.metrics[0].min = -kMetricValueMax;
  result.metrics[0].sum_millionths = -1;
  EXPECT_EQ(decode_result(*encode(result)), result);
  result.metrics[0].min = -2 * kMetricValueMax;
  EXPECT_THAT(encode(result).error().context, HasSubstr("metric min"));
}

TEST(ResultsCodec, CutBytesAreRefused) {
  const Bytes bytes = unsealed(some_result(3));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto decoded = decode_result(seal(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size))));
    ASSERT_FALSE(decoded) << size;
    EXPECT_EQ(decoded.error().code, ErrorCode::kProtocol);
  }
}

// The checksum is made right again, so that the checks behind it are the ones that are tried.
RC_GTEST_PROP(ResultsCodec, ChangedBytesAreRefusedOrAnotherResult, (std::uint64_t seed)) {
  const Bytes bytes = unsealed(some_result(seed));
  Prng prng(seed);
  for (int i = 0; i < 10; ++i) {
    Bytes changed = bytes;
    changed[prng.below(changed.size())] = static_cast<std::uint8_t>(prng.next());
    changed = seal(changed);
    if (const auto decoded = decode_result(changed)) RC_ASSERT(*encode(*decoded) == changed);
  }
}

TEST(ResultsCodec, ShellIsChecked) {
  const auto error_of = [](const Bytes& bytes) { return decode_result(bytes).error().context; };
  const Bytes good = *encode(some_result(1));
  Bytes bytes = good;
  bytes[1] ^= 1;
  EXPECT_THAT(error_of(bytes), HasSubstr("wrong magic"));
  bytes = good;
  bytes[4] = 2;
  EXPECT_THAT(error_of(bytes), HasSubstr("version 2, this program reads 7"));
  bytes = good;
  bytes.back() ^= 1;
  EXPECT_THAT(error_of(bytes), HasSubstr("wrong checksum"));
  bytes = unsealed(some_result(1));
  bytes.push_back(0);
  EXPECT_THAT(error_of(seal(bytes)), HasSubstr("too many"));
}

TEST(ResultsCodec, MapsAscend) {
  RunResult result;
  result.tags = {{"a", "1"}, {"b", "2"}};
  Bytes bytes = unsealed(result);
  // Head of 5, run id, name, then the count of tags and "a", "1", "b", "2" with a length each.
  ASSERT_EQ(bytes[9], 'a');
  ASSERT_EQ(bytes[13], 'b');
  std::swap(bytes[9], bytes[13]);
  EXPECT_THAT(decode_result(seal(bytes)).error().context, HasSubstr("tags: keys out of order"));
  bytes[13] = bytes[9];
  EXPECT_THAT(decode_result(seal(bytes)).error().context, HasSubstr("tags: keys out of order"));
}

TEST(ResultsCodec, WhatIsBeyondItsLimitIsNotWritten) {
  const auto error_of = [](const RunResult& result) {
    const auto bytes = encode(result);
    return bytes ? "accepted" : bytes.error().context;
  };
  RunResult result;
  result.name.assign(kResultTextBytesMax + 1, 'x');
  EXPECT_THAT(error_of(result), HasSubstr("name: 16385 bytes"));
  result = {};
  result.asked_rate_per_s = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(error_of(result), HasSubstr("asked rate"));
  result = {};
  result.steps.resize(2);
  for (StepResult& step : result.steps) step.series.duration.record_many(1ms, kHistogramCountMax);
  EXPECT_THAT(error_of(result), HasSubstr("too large"));
}

}  // namespace
}  // namespace hyperscale::results

#include "base/number_text.h"

#include <limits>

#include <gtest/gtest.h>

namespace hyperscale {
namespace {

TEST(NumberText, LatencyHasThreeDigitsAndAUnitThatFits) {
  EXPECT_EQ(latency_text(0s), "0s");
  EXPECT_EQ(latency_text(-5ms), "0s");
  EXPECT_EQ(latency_text(850ns), "850ns");
  EXPECT_EQ(latency_text(1us), "1.00µs");
  EXPECT_EQ(latency_text(213us), "213µs");
  EXPECT_EQ(latency_text(1'239'600ns), "1.24ms");
  EXPECT_EQ(latency_text(2'050ms), "2.05s");
  EXPECT_EQ(latency_text(75'260ms), "75.3s");
  EXPECT_EQ(latency_text(1234s), "20m34s");
  EXPECT_EQ(latency_text(3600s), "1h00m00s");
}

TEST(NumberText, LatencyThatRoundsUpTakesTheNextUnit) {
  EXPECT_EQ(latency_text(999'499ns), "999µs");
  EXPECT_EQ(latency_text(999'600ns), "1.00ms");
  EXPECT_EQ(latency_text(9'996us), "10.0ms");
  EXPECT_EQ(latency_text(99'960us), "100ms");
}

TEST(NumberText, LatencyInAscii) {
  EXPECT_EQ(latency_text(213us, Glyphs::kAscii), "213us");
}

TEST(NumberText, ShortLatencyLeavesOutZerosBehindThePoint) {
  EXPECT_EQ(short_latency_text(1ms), "1ms");
  EXPECT_EQ(short_latency_text(1500us), "1.5ms");
  EXPECT_EQ(short_latency_text(20ms), "20ms");
  EXPECT_EQ(short_latency_text(200ms), "200ms");
  EXPECT_EQ(short_latency_text(1'240us), "1.24ms");
}

TEST(NumberText, ElapsedReadsAsAClockFromAMinuteOn) {
  EXPECT_EQ(elapsed_text(30s), "30.0s");
  EXPECT_EQ(elapsed_text(90s), "1m30s");
  EXPECT_EQ(elapsed_text(7500s), "2h05m00s");
}

TEST(NumberText, CountsHaveThousandsSeparators) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(3'014'220), "3,014,220");
  EXPECT_EQ(count_text(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(NumberText, Rates) {
  EXPECT_EQ(rate_text(0), "0/s");
  EXPECT_EQ(rate_text(0.4512), "0.451/s");
  EXPECT_EQ(rate_text(12.34), "12.3/s");
  EXPECT_EQ(rate_text(999.7), "1,000/s");
  EXPECT_EQ(rate_text(100'330.4), "100,330/s");
  EXPECT_EQ(rate_text(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(rate_text(std::numeric_limits<double>::infinity()), "-");
}

TEST(NumberText, BytesInPowersOfAThousand) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(512), "512 B");
  EXPECT_EQ(bytes_text(1'240), "1.24 kB");
  EXPECT_EQ(bytes_text(999'900), "1.00 MB");
  EXPECT_EQ(bytes_text(41'300'000), "41.3 MB");
  EXPECT_EQ(bytes_per_second_text(8'030'000.4), "8.03 MB/s");
}

TEST(NumberText, PercentNeverRoundsToNoneOrAll) {
  EXPECT_EQ(percent_text(0, 10), "0%");
  EXPECT_EQ(percent_text(1, 1'000'000), "<0.01%");
  EXPECT_EQ(percent_text(42, 10'000), "0.42%");
  EXPECT_EQ(percent_text(123, 1'000), "12.3%");
  EXPECT_EQ(percent_text(99'999, 100'000), ">99.9%");
  EXPECT_EQ(percent_text(10, 10), "100%");
  EXPECT_EQ(percent_text(0, 0), "-");
}

}  // namespace
}  // namespace hyperscale

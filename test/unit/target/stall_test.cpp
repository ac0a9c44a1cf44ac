#include "target/stall.h"

#include <gtest/gtest.h>

namespace hyperscale::target {
namespace {

const MonoTime kStart = MonoTime::from_ns(5'000'000'123);

Duration waits(const Stall& stall, Duration since_start) {
  return after_stall(stall, kStart, kStart + since_start) - (kStart + since_start);
}

TEST(Stall, HoldsBackTheFirstPartOfEveryPeriod) {
  const Stall stall{200ms, 2s};
  EXPECT_EQ(waits(stall, 0ms), 200ms);
  EXPECT_EQ(waits(stall, 199ms), 1ms);
  EXPECT_EQ(waits(stall, 200ms), 0ms);
  EXPECT_EQ(waits(stall, 1999ms), 0ms);
  EXPECT_EQ(waits(stall, 2s), 200ms);
  EXPECT_EQ(waits(stall, 1h + 50ms), 150ms);
}

TEST(Stall, IsWrittenAsLengthAndPeriod) {
  EXPECT_EQ(parse_stall("200ms/2s").value(), (Stall{200ms, 2s}));
  for (const char* bad : {"", "200ms", "200ms/", "/2s", "0s/2s", "2s/2s", "3s/2s", "1s/2h", "x/y", "200ms/2s/1s"}) {
    const auto stall = parse_stall(bad);
    ASSERT_FALSE(stall.has_value()) << bad;
    EXPECT_EQ(stall.error().code, ErrorCode::kInvalidArgument) << bad;
  }
}

}  // namespace
}  // namespace hyperscale::target

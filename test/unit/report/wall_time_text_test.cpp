#include "report/wall_time_text.h"

#include <gtest/gtest.h>

namespace hyperscale::report {
namespace {

TEST(WallTimeText, IsUtcWithMilliseconds) {
  const WallTime time = WallTime::from_ns(1'794'793'390'250'999'999);
  EXPECT_EQ(rfc3339(time), "2026-11-16T01:43:10.250Z");
  EXPECT_EQ(readable_time(time), "2026-11-16 01:43:10 UTC");
  EXPECT_EQ(rfc3339(WallTime()), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(rfc3339(WallTime::from_ns(-1)), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(rfc3339(WallTime::from_ns(951'782'400'000'000'000)), "2000-02-29T00:00:00.000Z");
}

}  // namespace
}  // namespace hyperscale::report

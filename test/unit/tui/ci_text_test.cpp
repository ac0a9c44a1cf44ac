#include "tui/ci_text.h"

#include "sample_views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::tui {
namespace {

TEST(CiText, OneLineTellsHowItGoes) {
  EXPECT_EQ(ci_line(running_view()),
            "progress 2m06s/5m00s 42% requests=1,499,652 rate=12,480/s errors=312 (0.02%) p50=3.21ms p99=24.1ms "
            "users=500 left=2m54s");
  EXPECT_EQ(ci_line(paused_view()), "progress 1h23m45s 40% requests=1,204,100 rate=0/s errors=0 users=0 paused");
  EXPECT_THAT(ci_line(failing_view()), testing::HasSubstr(" dropped=4,120"));
}

}  // namespace
}  // namespace hyperscale::tui

#include "jobs/suspension_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::jobs {
namespace {

using testing::HasSubstr;

constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000);

class SuspensionWatchTest : public testing::Test {
 protected:
  void beats(int count) {
    for (int i = 0; i < count; ++i) EXPECT_EQ(watch_.beat(now_ += kBeatInterval), Duration::zero());
  }

  MonoTime now_ = kStart;
  SuspensionWatch watch_{kStart};
};

TEST_F(SuspensionWatchTest, GapWithSignalIsSuspensionInEitherOrder) {
  beats(3);
  EXPECT_EQ(watch_.continued(now_ += 8s), 8s);
  beats(3);
  EXPECT_EQ(watch_.beat(now_ += 500ms), 500ms);
  EXPECT_EQ(watch_.continued(now_ += 1ms), 500ms);
  EXPECT_THAT(watch_.warning(), HasSubstr("The run was suspended for 8.5s (2 times): "));
}

TEST_F(SuspensionWatchTest, OneIsToldWithoutItsNumber) {
  EXPECT_EQ(watch_.continued(now_ + 8040ms), 8040ms);
  EXPECT_THAT(watch_.warning(), testing::StartsWith("The run was suspended for 8.0s: requests that were under way"));
}

TEST_F(SuspensionWatchTest, ASignalWithoutAGapIsNone) {
  beats(3);
  EXPECT_EQ(watch_.continued(now_ + 50ms), std::nullopt);
  EXPECT_EQ(watch_.warning(), "");
}

TEST_F(SuspensionWatchTest, AGapWithoutASignalIsABusyMachine) {
  beats(1);
  EXPECT_EQ(watch_.beat(now_ += 2s), 2s) << "it stood still all the same";
  EXPECT_EQ(watch_.warning(), "");
  beats(20);
  EXPECT_EQ(watch_.continued(now_), std::nullopt) << "that was long before";
  EXPECT_EQ(watch_.warning(), "");
}

}  // namespace
}  // namespace hyperscale::jobs

#include "node/local/asked_load.h"

#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

using plan::LoadChangeKind;

TEST(AskedLoad, PressesBeforeTheFirstIsDoneAddUp) {
  AskedLoad keys;
  EXPECT_EQ(keys.target(0, 10), 10);
  keys.asked(0, {LoadChangeKind::kUsers, 11});
  EXPECT_EQ(keys.target(0, 10), 11) << "the run has not followed yet";
  EXPECT_EQ(keys.target(1, 4), 4) << "of another workflow";
  keys.asked(0, {LoadChangeKind::kUsers, 12});
  keys.answered(0, {LoadChangeKind::kUsers, 11});
  EXPECT_EQ(keys.target(0, 11), 12) << "one is still on its way";
  keys.answered(0, {LoadChangeKind::kUsers, 12});
  EXPECT_EQ(keys.target(0, 30), 30) << "somebody else may change it too";
}

TEST(AskedLoad, TwoQuickPausesAreAPauseAndItsEnd) {
  AskedLoad keys;
  EXPECT_FALSE(keys.paused(false));
  keys.asked(0, {LoadChangeKind::kPause, 0});
  EXPECT_TRUE(keys.paused(false));
  keys.asked(0, {LoadChangeKind::kResume, 0});
  EXPECT_FALSE(keys.paused(false));
  keys.answered(0, {LoadChangeKind::kPause, 0});
  EXPECT_FALSE(keys.paused(true)) << "its end is on its way";
  keys.answered(0, {LoadChangeKind::kResume, 0});
  EXPECT_TRUE(keys.paused(true));
}

}  // namespace
}  // namespace hyperscale::node

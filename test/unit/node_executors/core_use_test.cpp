#include "node/executors/core_use.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

TEST(CoreUse, TheWaitIsTheSecondFieldOfSchedstat) {
  EXPECT_EQ(waited_of("71234567 1500000000 42\n"), 1500ms);
  EXPECT_EQ(waited_of("71234567"), 0s);
  EXPECT_EQ(waited_of(""), 0s);
}

TEST(CoreUse, WhatTheHostTookIsInTheLineOfTheCore) {
  constexpr const char* kStat =
      "cpu  10 0 20 300 0 0 0 999 0 0\n"
      "cpu0 5 0 10 150 0 0 0 300 0 0\n"
      "cpu1 5 0 10 150 0 0 0 25 0 0\n"
      "cpu10 5 0 10 150 0 0 0 7 0 0\n"
      "intr 4711 0 0\n";
  EXPECT_EQ(stolen_of(kStat, 0, 100), 3s);
  EXPECT_EQ(stolen_of(kStat, 1, 100), 250ms);
  EXPECT_EQ(stolen_of(kStat, 10, 100), 70ms);
  EXPECT_EQ(stolen_of(kStat, 2, 100), 0s);
  EXPECT_EQ(stolen_of(kStat, -1, 100), 0s);
  EXPECT_EQ(stolen_of("cpu0 1 2 3", 0, 100), 0s);
}

TEST(CoreUse, AProcessThatIsGoneHasWaitedForNothing) {
  EXPECT_EQ(core_use_of(0, -1).waited, 0s);
  EXPECT_GE(core_use_of(::getpid(), 0).waited, 0s);
}

}  // namespace
}  // namespace hyperscale::node

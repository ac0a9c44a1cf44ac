#include "base/check.h"

#include "base/check_prologue.h"

#include <cstdio>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(CheckDeathTest, ReportNamesExpressionPlaceReasonAndStack) {
  const int held = 3;
  EXPECT_DEATH(CHECK(held <= 2, "queue {} holds {}", "work", held),
               AllOf(HasSubstr("CHECK failed, this is a bug"), HasSubstr("check    held <= 2"),
                     HasSubstr("check_test.cpp:"), HasSubstr("because  queue work holds 3"), HasSubstr("stack\n")));
}

TEST(CheckDeathTest, MessageIsOptional) {
  EXPECT_DEATH(CHECK(false), AllOf(HasSubstr("check    false"), testing::Not(HasSubstr("because"))));
}

TEST(CheckDeathTest, UnreachableReports) {
  EXPECT_DEATH(UNREACHABLE("state {}", 9), AllOf(HasSubstr("check    reached"), HasSubstr("because  state 9")));
}

TEST(CheckDeathTest, ThePrologueRunsBeforeTheReport) {
  set_check_prologue([] { std::fputs("terminal given back", stderr); });
  EXPECT_DEATH(CHECK(false), testing::ContainsRegex("terminal given back[^a-z]*hyperscale: CHECK failed"));
  set_check_prologue(nullptr);
}

TEST(Check, PassingCheckDoesNotEvaluateItsMessage) {
  int conditions = 0;
  int messages = 0;
  CHECK(++conditions == 1, "{}", ++messages);
  EXPECT_EQ(conditions, 1);
  EXPECT_EQ(messages, 0);
}

}  // namespace
}  // namespace hyperscale

#include "base/result.h"

#include <memory>

#include <gtest/gtest.h>

namespace hyperscale {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return fail(ErrorCode::kInvalidArgument, "odd");
  return number / 2;
}

// The caller passes an error on as it came.
Result<std::unique_ptr<int>> boxed_half(int number) {
  const auto result = half(number);
  if (!result) return fail(result.error());
  return std::make_unique<int>(*result);
}

Status positive(int number) {
  if (number <= 0) return fail(ErrorCode::kConflict, "not positive");
  return {};
}

TEST(Result, HoldsAValueOrAnError) {
  EXPECT_EQ(half(8), 4);
  const auto failed = half(7);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().to_string(), "InvalidArgument: odd");
}

TEST(Result, ErrorsTravelThroughOtherTypes) {
  EXPECT_EQ(**boxed_half(2), 1);
  EXPECT_EQ(boxed_half(3).error().context, "odd");
}

TEST(Result, StatusHasNoValue) {
  EXPECT_TRUE(positive(1));
  EXPECT_EQ(positive(0).error().code, ErrorCode::kConflict);
}

}  // namespace
}  // namespace hyperscale

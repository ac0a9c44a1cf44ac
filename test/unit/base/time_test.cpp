#include "base/time.h"

#include <type_traits>

#include <gtest/gtest.h>

namespace hyperscale {
namespace {

template <typename A, typename B>
concept Subtractable = requires(A a, B b) { a - b; };
template <typename A, typename B>
concept Comparable = requires(A a, B b) { a < b; };
template <typename A, typename B>
concept EqualityComparable = requires(A a, B b) { a == b; };

static_assert(Subtractable<MonoTime, MonoTime> && Comparable<WallTime, WallTime>);
static_assert(!Subtractable<MonoTime, WallTime> && !Subtractable<WallTime, MonoTime>);
static_assert(!Comparable<MonoTime, WallTime> && !EqualityComparable<MonoTime, WallTime>);
static_assert(!std::is_convertible_v<MonoTime, WallTime> && !std::is_convertible_v<WallTime, MonoTime>);
static_assert(!std::is_constructible_v<MonoTime, WallTime> && !std::is_assignable_v<MonoTime&, WallTime>);
static_assert(!std::is_convertible_v<std::int64_t, MonoTime> && !std::is_constructible_v<MonoTime, std::int64_t>);

TEST(Time, ArithmeticIsInNanoseconds) {
  constexpr MonoTime start = MonoTime::from_ns(1'500'000);
  static_assert((start + 1ms).ns() == 2'500'000);
  EXPECT_EQ(start - 500us, MonoTime::from_ns(1'000'000));
  EXPECT_EQ((start + 3s) - start, 3s);
  EXPECT_EQ(start.ms(), 1);
  EXPECT_LT(start, MonoTime::max());
  MonoTime later = start;
  later += 1ns;
  EXPECT_GT(later, start);
  EXPECT_EQ(WallTime().ns(), 0);
}

}  // namespace
}  // namespace hyperscale

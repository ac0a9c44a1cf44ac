#include "runtime/policy/retry_policy.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::runtime {
namespace {

constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000'000);
constexpr bool kIdempotent = true;

// proves part: NODE-TIME-4 (the schedule, tries and deadline; not: that the dispatcher waits between tries)
TEST(RetrySchedule, RetriesWithGrowingDelaysWithinDeadline) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Prng prng(seed);
    const MonoTime deadline = kStart + prng.between(1ms, 500ms);
    RetrySchedule schedule({}, prng.stream("retry"), deadline, kIdempotent);
    MonoTime now = kStart;
    int tries = 1;
    while (const auto delay = schedule.next_delay(now, ErrorCode::kBusy)) {
      if (tries == 1) RC_ASSERT((*delay >= 50ms && *delay <= 100ms));
      RC_ASSERT(*delay <= 2s);
      now += *delay;
      RC_ASSERT(now < deadline);
      ++tries;
    }
    RC_ASSERT(tries <= 3);
    // With enough time, all tries are used: two delays are at most 100 ms and 200 ms.
    if (deadline - kStart > 300ms) RC_ASSERT(tries == 3);
  }));
}

// proves part: NODE-TIME-4 (the schedule, tries and deadline; not: that the dispatcher waits between tries)
TEST(RetrySchedule, NothingForACallThatIsNotIdempotent) {
  RetrySchedule schedule({}, Prng(1), kStart + 10s, !kIdempotent);
  EXPECT_EQ(schedule.next_delay(kStart, ErrorCode::kTimeout), std::nullopt);
}

TEST(RetrySchedule, OnlyErrorsThatARetryCanCure) {
  for (std::uint16_t number = 1; const auto code = error_code_from_number(number); ++number) {
    RetrySchedule schedule({}, Prng(1), kStart + 10s, kIdempotent);
    const bool expected = traits(*code).retry != RetryAdvice::kNo;
    EXPECT_EQ(schedule.next_delay(kStart, *code).has_value(), expected) << name(*code);
  }
}

// proves: NODE-TEST-2
// proves part: NODE-TIME-4 (the schedule, tries and deadline; not: that the dispatcher waits between tries)
TEST(RetrySchedule, ATryThatWouldBeginAtTheDeadlineIsNotMade) {
  const RetryLimits exact{.initial_min = 80ms, .initial_max = 80ms};
  EXPECT_EQ(RetrySchedule(exact, Prng(1), kStart + 80ms, kIdempotent).next_delay(kStart, ErrorCode::kBusy),
            std::nullopt);
  EXPECT_EQ(RetrySchedule(exact, Prng(1), kStart + 80ms + 1ns, kIdempotent).next_delay(kStart, ErrorCode::kBusy), 80ms);
  EXPECT_EQ(RetrySchedule(exact, Prng(1), kStart - 1s, kIdempotent).next_delay(kStart, ErrorCode::kBusy), std::nullopt);
}

// proves part: NODE-TIME-4 (the schedule, tries and deadline; not: that the dispatcher waits between tries)
TEST(RetrySchedule, NoDeadlineMeansThatOnlyTheTriesEnd) {
  RetrySchedule schedule({.tries_max = 20}, Prng(1), MonoTime::max(), kIdempotent);
  int retries = 0;
  Duration longest{};
  while (const auto delay = schedule.next_delay(kStart, ErrorCode::kTimeout)) {
    EXPECT_LE(*delay, 2s);
    longest = std::max<Duration>(longest, *delay);
    ++retries;
  }
  EXPECT_EQ(retries, 19);
  EXPECT_GT(longest, 1500ms) << "delays grow up to the cap, less the jitter";
  RetrySchedule one({}, Prng(1), MonoTime::max(), kIdempotent);
  RetrySchedule other({}, Prng(2), MonoTime::max(), kIdempotent);
  EXPECT_NE(one.next_delay(kStart, ErrorCode::kTimeout), other.next_delay(kStart, ErrorCode::kTimeout)) << "no jitter";
}

}  // namespace
}  // namespace hyperscale::runtime

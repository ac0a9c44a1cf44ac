#include "realtime/stall_judge.h"

#include <gtest/gtest.h>

namespace hyperscale::realtime {
namespace {

constexpr Duration kHold = 100ms, kGrace = 10ms;

MonoTime at(Duration since) {
  return MonoTime::from_ns(1'000'000'000) + since;
}
PinView pinned_at(Duration since, std::uint64_t sequence = 1) {
  return {.epoch = 5, .sequence = sequence, .start_ns = at(since).ns()};
}

// proves: MURK-STALL-1, MURK-TEST-7, MURK-OV-6
// proves part: MURK-STALL-3 (pinned and over the hold; from the start of the pin, not from last_quiesce_ns)
TEST(StallJudge, APinOverTheHoldIsCancelledOnce) {
  StallJudge judge(1, kHold, kGrace);
  const PinView pin = pinned_at(0ms);
  EXPECT_EQ(judge.judge(0, pin, at(99ms)), StallVerdict::kFine);
  EXPECT_EQ(judge.judge(0, pin, at(100ms)), StallVerdict::kFine) << "longer than, not as long as";
  EXPECT_EQ(judge.judge(0, pin, at(101ms)), StallVerdict::kCancel);
  EXPECT_EQ(judge.judge(0, pin, at(102ms)), StallVerdict::kFine);
}

// proves part: MURK-STALL-4 (judged by the start of its pin; not that a worker stamps it with a fresh time)
// proves part: MURK-SAFE-9 (held since the start of the pin; not that a worker stamps it with a fresh time)
// proves part: MURK-STALL-3 (unpinned workers are never stalled)
TEST(StallJudge, IdleReadersAndFirstPinsAreNotStalled) {
  StallJudge judge(2, kHold, kGrace);
  EXPECT_EQ(judge.judge(0, PinView{}, at(10s)), StallVerdict::kFine);
  // Idle for ten seconds, or never before: the first pin counts from its own start.
  EXPECT_EQ(judge.judge(0, pinned_at(10s), at(10s + 50ms)), StallVerdict::kFine);
  EXPECT_EQ(judge.judge(1, pinned_at(10s), at(10s + 101ms)), StallVerdict::kCancel);
}

// proves: MURK-STALL-7
// proves part: MURK-STALL-5 (cancel, grace, override)
TEST(StallJudge, TheGraceIsCheckedAtALaterLook) {
  StallJudge judge(1, kHold, kGrace);
  const PinView pin = pinned_at(0ms);
  ASSERT_EQ(judge.judge(0, pin, at(200ms)), StallVerdict::kCancel) << "never forced without a grace";
  EXPECT_EQ(judge.judge(0, pin, at(209ms)), StallVerdict::kFine);
  EXPECT_FALSE(judge.is_overridden(0, pin));
  EXPECT_EQ(judge.judge(0, pin, at(210ms)), StallVerdict::kForceUnpin);
  EXPECT_TRUE(judge.is_overridden(0, pin));
  EXPECT_EQ(judge.judge(0, pin, at(900ms)), StallVerdict::kFine) << "once";
}

// proves: MURK-RECL-6
// proves part: MURK-STALL-6 (found unpinned; not one that is at its next request when it is torn down)
TEST(StallJudge, AReaderThatUnpinnedHasRecovered) {
  StallJudge judge(1, kHold, kGrace);
  ASSERT_EQ(judge.judge(0, pinned_at(0ms), at(101ms)), StallVerdict::kCancel);
  EXPECT_EQ(judge.judge(0, PinView{}, at(120ms)), StallVerdict::kFine);
  StallJudge forced(1, kHold, kGrace);
  forced.judge(0, pinned_at(0ms), at(101ms));
  ASSERT_EQ(forced.judge(0, pinned_at(0ms), at(120ms)), StallVerdict::kForceUnpin);
  forced.judge(0, PinView{}, at(130ms));
  EXPECT_FALSE(forced.is_overridden(0, pinned_at(0ms))) << "dropped from the set";
}

// F-5
// proves: MURK-SAFE-7
TEST(StallJudge, ANewPinBetweenTwoLooksCounts) {
  StallJudge judge(2, kHold, kGrace);
  judge.judge(0, pinned_at(0ms), at(101ms));
  ASSERT_EQ(judge.judge(0, pinned_at(0ms), at(120ms)), StallVerdict::kForceUnpin);
  EXPECT_TRUE(judge.is_overridden(0, pinned_at(0ms)));
  EXPECT_FALSE(judge.is_overridden(1, pinned_at(0ms))) << "another reader with the same sequence";
  const PinView again = pinned_at(125ms, 2);
  EXPECT_FALSE(judge.is_overridden(0, again));
  EXPECT_EQ(judge.judge(0, again, at(130ms)), StallVerdict::kFine);
  EXPECT_EQ(judge.judge(0, again, at(226ms)), StallVerdict::kCancel) << "judged afresh";
}

}  // namespace
}  // namespace hyperscale::realtime

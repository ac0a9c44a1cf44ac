#include "worker/attempt.h"

#include "sample_ids.h"

#include <gtest/gtest.h>

namespace hyperscale::worker {
namespace {

using Order = Attempt::Order;
using Stage = Attempt::Stage;
using wire::AttemptEnd;

constexpr MonoTime kNow = MonoTime::from_ns(1'000'000'000'000);

Attempt started(wire::SharePart part = wire::SharePart::kSteps) {
  wire::WorkflowDispatch dispatch;
  dispatch.attempt = attempt_of(share_of("job", 0, part));
  Attempt attempt(dispatch, manager(1), kNow);
  attempt.accept(std::make_shared<const wire::DispatchContent>(content_of(dispatch.attempt.share)), {0});
  for (const Stage stage : {Stage::kResolving, Stage::kLaunching, Stage::kReady}) attempt.advance(stage);
  attempt.start(kNow);
  return attempt;
}

std::string end_of(const Attempt& attempt, std::string error = {}) {
  const AttemptEnd end = attempt.end_as(error);
  const char* const name = end == AttemptEnd::kCompleted   ? "completed"
                           : end == AttemptEnd::kFailed    ? "failed"
                           : end == AttemptEnd::kCancelled ? "cancelled"
                                                           : "stopped";
  return error.empty() ? name : std::string(name) + ": " + error;
}

TEST(Attempt, EndsAsItWasOrdered) {
  EXPECT_EQ(end_of(started()), "completed");
  EXPECT_EQ(end_of(started(), "no memory"), "failed: no memory");
  const auto ended = [](EndCause cause, const std::string& error) {
    Attempt attempt = started();
    attempt.end(cause, kNow);
    return end_of(attempt, error);
  };
  EXPECT_EQ(ended(EndCause::kStop, ""), "stopped");
  EXPECT_EQ(ended(EndCause::kStop, "no memory"), "failed: no memory");
  EXPECT_EQ(ended(EndCause::kOrphan, ""), "stopped");
  EXPECT_EQ(ended(EndCause::kCancel, "no memory"), "cancelled");
  EXPECT_EQ(ended(EndCause::kKill, ""), "cancelled");
  EXPECT_EQ(ended(EndCause::kSuperseded, ""), "cancelled");
}

TEST(Attempt, StrongerCauseReplacesAWeakerOne) {
  Attempt attempt = started();
  EXPECT_EQ(attempt.end(EndCause::kCancel, kNow), Order::kStop);
  EXPECT_EQ(attempt.end(EndCause::kStop, kNow), Order::kNone);
  EXPECT_EQ(attempt.cause(), EndCause::kCancel);
  EXPECT_EQ(attempt.end(EndCause::kSuperseded, kNow), Order::kKill);
  EXPECT_EQ(attempt.end(EndCause::kKill, kNow), Order::kNone) << "killed once";
  EXPECT_EQ(attempt.cause(), EndCause::kSuperseded);
  EXPECT_EQ(attempt.order_due(kNow + 1h), Order::kNone);
}

TEST(Attempt, RepeatedCancelDoesNotProlongIt) {
  Attempt attempt = started();
  attempt.end(EndCause::kCancel, kNow);
  attempt.end(EndCause::kCancel, kNow + 900ms);
  EXPECT_EQ(attempt.kill_at(), kNow + kCancelPatience);
  EXPECT_EQ(attempt.order_due(kNow + kCancelPatience), Order::kKill);
}

// Steps have a deadline of their own after a graceful stop, actions do not.
TEST(Attempt, StoppedActionIsKilledInTheEnd) {
  Attempt steps = started(), setup = started(wire::SharePart::kSetup);
  steps.end(EndCause::kStop, kNow);
  setup.end(EndCause::kOrphan, kNow);
  EXPECT_EQ(steps.kill_at(), MonoTime::max());
  EXPECT_EQ(setup.kill_at(), kNow + kActionPatience);
}

TEST(Attempt, ChangesAreBounded) {
  Attempt attempt = started();
  for (std::uint32_t i = 1; i <= wire::kChangesPerMessageMax; ++i)
    ASSERT_TRUE(attempt.change({i, 1s, "vus=1"}, kNow).is_new);
  EXPECT_EQ(attempt.change({attempt.last_change() + 1, 1s, "vus=1"}, kNow).refusal, wire::Refusal::kResources);
}

TEST(Attempt, PauseBeforeTheStartHoldsTheClock) {
  wire::WorkflowDispatch dispatch;
  dispatch.attempt = attempt_of(share_of("job"));
  dispatch.from_elapsed = 60s;
  dispatch.changes = {{1, 50s, "pause"}};
  Attempt attempt(dispatch, manager(1), kNow);
  attempt.accept(std::make_shared<const wire::DispatchContent>(content_of(dispatch.attempt.share)), {0});
  for (const Stage stage : {Stage::kResolving, Stage::kLaunching, Stage::kReady}) attempt.advance(stage);
  EXPECT_EQ(attempt.elapsed(kNow + 5s), 0s);
  attempt.start(kNow + 10s);
  EXPECT_EQ(attempt.elapsed(kNow + 20s), 60s);
  attempt.change({2, 60s, "resume"}, kNow + 30s);
  EXPECT_EQ(attempt.elapsed(kNow + 31s), 61s);
  EXPECT_EQ(attempt.state(kNow + 31s).last_change, 2U);
}

}  // namespace
}  // namespace hyperscale::worker

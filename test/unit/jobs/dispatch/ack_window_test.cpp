#include "jobs/dispatch/ack_window.h"

#include "virtual_driver.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::jobs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Sign = AckWindows::Sign;

wire::AttemptId attempt(std::uint32_t share, std::uint32_t number = 1) {
  return {.share = {.job = "job", .share = share}, .fence = {.epoch = 5, .attempt = number}};
}

std::string text(const AckWindows::Action& action) {
  if (const auto* a = std::get_if<AckWindows::Confirmed>(&action)) {
    return fmt::format("confirmed {} by {}", a->attempt.share.share, static_cast<int>(a->by));
  }
  if (const auto* a = std::get_if<AckWindows::CheckHealth>(&action)) {
    return fmt::format("check {} of {}", a->worker, a->attempt.share.share);
  }
  const auto& a = std::get<AckWindows::Reschedule>(action);
  return fmt::format("reschedule {} from {}: {}", a.attempt.share.share, a.worker, a.why);
}

// Ticks when the core asks for it, and answers for the worker's health `health_after` later, if it answers.
class AckRun {
 public:
  explicit AckRun(AckLimits limits = {}) : driver_(AckWindows(limits)) {
    driver_.on_action([this](const AckWindows::Action& action, auto&) {
      lines_.push_back(fmt::format("{}ms {}", driver_.now().ms(), text(action)));
      const auto* check = std::get_if<AckWindows::CheckHealth>(&action);
      if (check != nullptr && health_after) {
        driver_.after(*health_after, AckWindows::Health{check->attempt, healthy});
      }
    });
  }

  void at(Duration time, AckWindows::Event event) {
    run_until(time);
    driver_.after(0ns, std::move(event));
    driver_.run_until(driver_.now());
  }
  void run_until(Duration time) {
    const MonoTime end = MonoTime() + time;
    while (driver_.core().wake_at() && *driver_.core().wake_at() <= end) {
      const MonoTime due = std::max(*driver_.core().wake_at(), driver_.now());
      driver_.run_until(due);
      driver_.at(due, AckWindows::Tick{});
      driver_.run_until(due);
    }
    driver_.run_until(end);
  }
  const AckWindows& core() const { return driver_.core(); }
  AckWindows& core() { return driver_.core(); }
  const std::vector<std::string>& lines() const { return lines_; }

  std::optional<Duration> health_after = 10ms;
  bool healthy = true;

 private:
  VirtualDriver<AckWindows> driver_;
  std::vector<std::string> lines_;
};

AckWindows::Dispatched dispatched(std::uint32_t share) {
  return {.attempt = attempt(share), .worker = fmt::format("w{}", share)};
}

// proves part: AD38-ACK-1 (the table; no dispatcher runs with it yet)
TEST(AckWindow, AHealthyWorkerGetsThreeExtensions) {
  AckRun run;
  run.at(0s, dispatched(0));
  EXPECT_EQ(run.core().state_of(attempt(0)), AckState::kAwaiting);
  EXPECT_EQ(run.core().wake_at(), MonoTime() + 5s) << "the dispatcher goes on meanwhile";
  run.run_until(5s);
  EXPECT_EQ(run.core().state_of(attempt(0)), AckState::kExpired);
  run.run_until(5s + 10ms);
  EXPECT_EQ(run.core().state_of(attempt(0)), AckState::kExtended);
  run.run_until(60s);
  EXPECT_THAT(run.lines(), ElementsAre("5000ms check w0 of 0", "10010ms check w0 of 0", "15020ms check w0 of 0",
                                       "20030ms reschedule 0 from w0: no acknowledgement after 3 extensions"));
  EXPECT_EQ(run.core().state_of(attempt(0)), AckState::kReschedule);
  EXPECT_EQ(run.core().wake_at(), std::nullopt);
}

// proves part: AD38-ACK-1 (the table; no dispatcher runs with it yet)
TEST(AckWindow, AnUnhealthyWorkerLosesTheShare) {
  AckRun run;
  run.healthy = false;
  run.at(0s, dispatched(0));
  run.run_until(60s);
  EXPECT_THAT(run.lines(), ElementsAre("5000ms check w0 of 0", "5010ms reschedule 0 from w0: the worker is unhealthy"));
}

TEST(AckWindow, AHealthCheckWithoutAnswerIsBounded) {
  AckRun run;
  run.health_after.reset();
  run.at(0s, dispatched(0));
  run.run_until(60s);
  EXPECT_THAT(run.lines(),
              ElementsAre("5000ms check w0 of 0", "10000ms reschedule 0 from w0: its health was not answered"));
}

// proves: AD38-ACK-2
TEST(AckWindow, AnyMessageOfTheAttemptConfirms) {
  for (const Sign sign : {Sign::kAnswer, Sign::kProgress, Sign::kCompletion, Sign::kError}) {
    for (const Duration when : {1s, 5s, 7s}) {
      AckRun run;
      run.at(0s, dispatched(0));
      run.at(when, AckWindows::Heard{attempt(0), sign});
      EXPECT_EQ(run.lines().back(), fmt::format("{}ms confirmed 0 by {}", when / 1ms, static_cast<int>(sign)));
      EXPECT_EQ(run.core().state_of(attempt(0)), AckState::kConfirmed);
      EXPECT_EQ(run.core().wake_at(), std::nullopt);
      run.at(when + 1ms, AckWindows::Heard{attempt(0), Sign::kCompletion});
      const std::size_t lines = run.lines().size();
      run.run_until(120s);
      EXPECT_EQ(run.lines().size(), lines) << "its timer is gone";
    }
  }
  EXPECT_EQ(AckWindows().state_of(attempt(9)), AckState::kConfirmed) << "an unknown window";
  EXPECT_THAT(AckWindows().step(AckWindows::Heard{attempt(9), Sign::kProgress}, MonoTime()), IsEmpty());
}

// proves: AD38-ACK-3
TEST(AckWindow, WhatIsToBeRescheduledIsListedUntilDone) {
  AckRun run;
  run.healthy = false;
  run.at(0s, dispatched(0));
  run.at(1s, dispatched(1));
  run.at(2s, dispatched(2));
  run.at(3s, AckWindows::Heard{attempt(1), Sign::kProgress});
  EXPECT_THAT(run.core().to_reschedule(), IsEmpty());
  run.run_until(20s);
  EXPECT_THAT(run.core().to_reschedule(), ElementsAre(attempt(0), attempt(2)));
  run.core().complete(attempt(0));
  EXPECT_THAT(run.core().to_reschedule(), ElementsAre(attempt(2)));
  run.at(21s, dispatched(3));
  run.core().complete(attempt(3));
  EXPECT_EQ(run.core().wake_at(), std::nullopt) << "the timer is dropped with the window";
  EXPECT_EQ(run.core().size(), 1U);
}

// proves: AD38-ACK-4, AD38-ACK-5
TEST(AckWindow, AMessageDuringTheHealthCheckCounts) {
  AckRun run;
  run.healthy = false;
  run.health_after = 2s;
  run.at(0s, dispatched(0));
  run.at(6s, AckWindows::Heard{attempt(0), Sign::kProgress});
  run.at(8s, AckWindows::Health{attempt(0), false});
  run.run_until(60s);
  EXPECT_THAT(run.lines(), ElementsAre("5000ms check w0 of 0", "6000ms confirmed 0 by 1"));
  EXPECT_EQ(run.core().state_of(attempt(0)), AckState::kConfirmed);
}

TEST(AckWindow, AMessageAfterTheDecisionChangesNothing) {
  AckRun run;
  run.healthy = false;
  run.at(0s, dispatched(0));
  run.at(10s, AckWindows::Heard{attempt(0), Sign::kProgress});
  EXPECT_EQ(run.core().state_of(attempt(0)), AckState::kReschedule);
  EXPECT_EQ(run.lines().size(), 2U);
  run.at(11s, AckWindows::Health{attempt(0), true});
  EXPECT_EQ(run.core().state_of(attempt(0)), AckState::kReschedule);
}

// proves: AD38-ACK-6
TEST(AckWindow, TimesAreThoseOfTheLimits) {
  AckRun run({.window = 1s, .extensions_max = 1, .extension = 7s});
  run.at(0s, dispatched(0));
  run.run_until(60s);
  EXPECT_THAT(run.lines(), ElementsAre("1000ms check w0 of 0",
                                       "8010ms reschedule 0 from w0: no acknowledgement after 1 extensions"));
  AckRun unchecked({.health_check = false});
  unchecked.at(0s, dispatched(0));
  unchecked.run_until(60s);
  EXPECT_THAT(unchecked.lines(), ElementsAre("5000ms reschedule 0 from w0: no acknowledgement"));
}

TEST(AckWindow, AnotherAttemptHasAWindowOfItsOwn) {
  AckWindows windows;
  windows.step(AckWindows::Dispatched{attempt(0, 1), "w1"}, MonoTime());
  windows.step(AckWindows::Dispatched{attempt(0, 2), "w2"}, MonoTime());
  windows.step(AckWindows::Heard{attempt(0, 2), Sign::kAnswer}, MonoTime());
  EXPECT_EQ(windows.state_of(attempt(0, 1)), AckState::kAwaiting);
  EXPECT_EQ(windows.state_of(attempt(0, 2)), AckState::kConfirmed);
}

TEST(AckWindow, ItSaysWhenItIsFull) {
  AckWindows windows;
  for (std::uint32_t each = 0; each < kAckWindowsMax; ++each) {
    ASSERT_FALSE(windows.is_full());
    windows.step(AckWindows::Dispatched{attempt(each), "w"}, MonoTime());
  }
  EXPECT_TRUE(windows.is_full());
  windows.complete(attempt(3));
  EXPECT_FALSE(windows.is_full());
}

TEST(AckWindow, StatesHaveTheirNames) {
  EXPECT_EQ(name(AckState::kAwaiting), "AWAITING_ACK");
  EXPECT_EQ(name(AckState::kExpired), "WINDOW_EXPIRED");
  EXPECT_EQ(name(AckState::kExtended), "EXTEND_WINDOW");
  EXPECT_EQ(name(AckState::kConfirmed), "CONFIRMED");
  EXPECT_EQ(name(AckState::kReschedule), "RESCHEDULE");
}

// Whatever happens, each window ends confirmed or rescheduled, once, within a bounded time.
RC_GTEST_PROP(AckWindow, EachWindowEndsOnce, ()) {
  AckWindows windows;
  MonoTime now;
  std::map<wire::AttemptId, int> ends;
  const auto step = [&](const AckWindows::Event& event) {
    for (const auto& action : windows.step(event, now)) {
      if (const auto* a = std::get_if<AckWindows::Confirmed>(&action)) ++ends[a->attempt];
      if (const auto* a = std::get_if<AckWindows::Reschedule>(&action)) ++ends[a->attempt];
    }
  };
  for (std::uint32_t each = 0; each < 4; ++each) step(AckWindows::Dispatched{attempt(each), "w"});
  for (int i = 0; i < 60; ++i) {
    now += std::chrono::milliseconds(*rc::gen::inRange(1, 2000));
    const auto which = attempt(*rc::gen::inRange<std::uint32_t>(0, 4));
    switch (*rc::gen::inRange(0, 6)) {
      case 0:
        if (*rc::gen::inRange(0, 4) == 0) step(AckWindows::Heard{which, Sign::kProgress});
        break;
      case 1:
      case 2:
        step(AckWindows::Health{which, *rc::gen::inRange(0, 3) != 0});
        break;
      default:
        step(AckWindows::Tick{});
    }
    RC_ASSERT(windows.size() <= 4U);
  }
  for (int i = 0; i < 10; ++i) {
    now += 10s;
    step(AckWindows::Tick{});
  }
  RC_ASSERT(ends.size() == 4U);
  for (const auto& [which, count] : ends) RC_ASSERT(count == 1);
}

}  // namespace
}  // namespace hyperscale::jobs

#include "reliability/call_retries.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::reliability {
namespace {

using testing::ElementsAre;

constexpr MonoTime kNoon = MonoTime::from_ns(3'000'000'000'000);
const Error kTimedOut{ErrorCode::kTimeout, "no answer in 5 s"};

class CallRetriesTest : public testing::Test {
 protected:
  Call call(CallKind kind, std::string_view peer = "w1") {
    return retries.begin(kind, peer, MonoTime::max(), kNoon).value();
  }
  // The delays of one call that never succeeds.
  std::vector<Duration> delays_of(CallKind kind, std::string_view peer) {
    Call one = call(kind, peer);
    std::vector<Duration> delays;
    while (const auto delay = retries.failed(one, kTimedOut, kNoon)) delays.push_back(*delay);
    EXPECT_EQ(one.tries, static_cast<int>(delays.size()) + 1);
    return delays;
  }

  PeerCircuits circuits;
  CallRetries retries{circuits, Prng(9)};
};

struct Row {
  CallKind kind;
  std::vector<Duration> longest;
};

// proves part: FAIL-RETRY-1 (counts and delays, with the jitter of AD21-3; no role calls with it yet)
// proves part: AD21-3 (retry delays of calls)
TEST_F(CallRetriesTest, EachKindHasItsDelays) {
  const std::vector<Row> rows = {
      {CallKind::kRegisterWorker, {500ms, 1s, 2s}},
      {CallKind::kProgress, {200ms, 400ms}},
      {CallKind::kDispatch, {300ms, 600ms}},
      {CallKind::kRegisterManager, {500ms, 1s, 2s}},
      {CallKind::kJobProgress, {200ms, 400ms}},
      {CallKind::kSubmit, {300ms, 600ms}},
      {CallKind::kCancel, {500ms, 1s}},
      {CallKind::kOther, {500ms, 1s}},
  };
  ASSERT_EQ(rows.size(), kCallKinds);
  for (const Row& row : rows) {
    std::vector<Duration> longest(row.longest.size());
    for (int i = 0; i < 30; ++i) {
      circuits = PeerCircuits();
      CallRetries fresh(circuits, Prng(static_cast<std::uint64_t>(i)));
      Call one = fresh.begin(row.kind, "p", MonoTime::max(), kNoon).value();
      for (std::size_t retry = 0; retry < row.longest.size(); ++retry) {
        const auto delay = fresh.failed(one, kTimedOut, kNoon);
        ASSERT_TRUE(delay);
        EXPECT_LE(*delay, row.longest[retry]);
        EXPECT_GE(*delay, row.longest[retry] / 2);
        longest[retry] = std::max(longest[retry], *delay);
      }
      EXPECT_FALSE(fresh.failed(one, kTimedOut, kNoon)) << "no delay after the last try";
      EXPECT_EQ(fresh.retries(row.kind), row.longest.size());
    }
    for (std::size_t retry = 0; retry < longest.size(); ++retry) EXPECT_GT(longest[retry], row.longest[retry] * 9 / 10);
  }
}

// proves: AD21-2
TEST_F(CallRetriesTest, TheLastErrorIsKept) {
  Call one = call(CallKind::kProgress);
  EXPECT_TRUE(retries.failed(one, {ErrorCode::kBrokenPipe, "reset"}, kNoon));
  EXPECT_TRUE(retries.failed(one, {ErrorCode::kTimeout, ""}, kNoon));
  EXPECT_EQ(one.last_error.context, "progress failed");
  EXPECT_FALSE(retries.failed(one, kTimedOut, kNoon));
  EXPECT_EQ(one.last_error.code, ErrorCode::kTimeout);
  EXPECT_EQ(one.last_error.context, "no answer in 5 s");
}

TEST_F(CallRetriesTest, WhatCannotHelpIsNotRepeated) {
  for (const ErrorCode code : {ErrorCode::kInvalidArgument, ErrorCode::kUnauthorized, ErrorCode::kConflict,
                               ErrorCode::kProtocol, ErrorCode::kTooLarge, ErrorCode::kCanceled}) {
    Call one = call(CallKind::kDispatch, std::string(name(code)));
    EXPECT_FALSE(retries.failed(one, {code, "rejected"}, kNoon));
  }
  for (const ErrorCode code :
       {ErrorCode::kBusy, ErrorCode::kTimeout, ErrorCode::kBrokenPipe, ErrorCode::kUnavailable}) {
    Call one = call(CallKind::kDispatch, std::string(name(code)));
    EXPECT_TRUE(retries.failed(one, {code, "try again"}, kNoon));
  }
}

// proves part: FAIL-CB-1 (asked first, told after, by calls with all their tries; no role calls with it yet)
TEST_F(CallRetriesTest, ACallAsksAndTellsItsCircuitOnce) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(circuits.status("w1", kNoon).errors, static_cast<std::uint64_t>(i));
    EXPECT_EQ(delays_of(CallKind::kDispatch, "w1").size(), 2U) << "all its tries count as one error";
  }
  const auto refused = retries.begin(CallKind::kDispatch, "w1", MonoTime::max(), kNoon + 9s);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().to_string(), "OpenCircuit: dispatch to w1 was not tried: its circuit is open");
  const auto probe = retries.begin(CallKind::kDispatch, "w1", MonoTime::max(), kNoon + 10s);
  ASSERT_TRUE(probe);
  retries.answered(*probe, kNoon + 10s);
  EXPECT_TRUE(retries.begin(CallKind::kDispatch, "w1", MonoTime::max(), kNoon + 10s));
}

// proves part: FAIL-CB-2 (the scopes of the table; no role calls with it yet)
TEST_F(CallRetriesTest, CircuitsAreThoseOfTheTable) {
  const auto affects = [](CallKind failing, CallKind other, std::string_view peer) {
    PeerCircuits own;
    CallRetries calls(own, Prng(1));
    for (int i = 0; i < 3; ++i) {
      Call one = calls.begin(failing, "p1", MonoTime::max(), kNoon).value();
      calls.failed(one, {ErrorCode::kProtocol, "broken"}, kNoon);
    }
    return !calls.begin(other, peer, MonoTime::max(), kNoon);
  };
  // One circuit towards all managers, one towards all gates.
  EXPECT_TRUE(affects(CallKind::kRegisterWorker, CallKind::kRegisterWorker, "p2"));
  EXPECT_TRUE(affects(CallKind::kRegisterWorker, CallKind::kProgress, "p2"));
  EXPECT_TRUE(affects(CallKind::kJobProgress, CallKind::kRegisterManager, "p2"));
  EXPECT_FALSE(affects(CallKind::kProgress, CallKind::kJobProgress, "p2"));
  // One per worker, one per manager.
  EXPECT_TRUE(affects(CallKind::kDispatch, CallKind::kDispatch, "p1"));
  EXPECT_FALSE(affects(CallKind::kDispatch, CallKind::kDispatch, "p2"));
  EXPECT_FALSE(affects(CallKind::kSubmit, CallKind::kSubmit, "p2"));
}

TEST_F(CallRetriesTest, NoTryBeginsAtTheDeadline) {
  Call one = retries.begin(CallKind::kDispatch, "w1", kNoon + 100ms, kNoon).value();
  EXPECT_FALSE(retries.failed(one, kTimedOut, kNoon)) << "the shortest delay is 150 ms";
  Call other = retries.begin(CallKind::kDispatch, "w1", kNoon + 301ms, kNoon).value();
  EXPECT_TRUE(retries.failed(other, kTimedOut, kNoon));
}

TEST_F(CallRetriesTest, ABudgetBoundsTheRetriesOfAll) {
  std::size_t repeated = 0;
  for (int i = 0; i < 1'000; ++i) repeated += delays_of(CallKind::kDispatch, "w" + std::to_string(i)).size();
  EXPECT_EQ(repeated, static_cast<std::size_t>(kRetryBurst));
  EXPECT_EQ(retries.out_of_budget(CallKind::kDispatch), 950U);
  EXPECT_EQ(delays_of(CallKind::kProgress, "m1").size(), 2U) << "another kind has its own";
  Call later = retries.begin(CallKind::kDispatch, "late", MonoTime::max(), kNoon + 1s).value();
  EXPECT_TRUE(retries.failed(later, kTimedOut, kNoon + 1s)) << "ten a second come back";
  std::size_t cancels = 0;
  for (int i = 0; i < 1'000; ++i) cancels += delays_of(CallKind::kCancel, "c" + std::to_string(i)).size();
  EXPECT_EQ(cancels, 2'000U);
  EXPECT_EQ(retries.out_of_budget(CallKind::kCancel), 0U);
}

}  // namespace
}  // namespace hyperscale::reliability

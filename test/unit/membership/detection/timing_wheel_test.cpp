#include "membership/detection/timing_wheel.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::membership {
namespace {

using Wheel = TimingWheel<int>;

constexpr MonoTime kStart = MonoTime::from_ns(7'123'456'789);

std::vector<int> keys(const std::vector<Wheel::Due>& due) {
  std::vector<int> out;
  for (const auto& entry : due) out.push_back(entry.key);
  return out;
}

// Runs the wheel by its own wake-ups until `key` fires.
MonoTime fires_at(Wheel& wheel, int key) {
  for (int steps = 0; steps < 100'000; ++steps) {
    const MonoTime wake = wheel.next_wake();
    if (wake == MonoTime::max()) break;
    const auto fired = keys(wheel.advance(wake));
    if (std::find(fired.begin(), fired.end(), key) != fired.end()) return wake;
  }
  ADD_FAILURE() << "never fired";
  return kStart;
}

// proves: AD30-TEST-1, AD30-WHEEL-3
TEST(TimingWheel, EntryFiresWithinOneTickOfExpiration) {
  for (const Duration ahead :
       std::initializer_list<Duration>{1ns, 50ms, 100ms, 101ms, 999ms, 1s, 1'001ms, 5s, 63'999ms, 64s, 65s}) {
    Wheel wheel({}, kStart);
    ASSERT_TRUE(wheel.insert(1, kStart + ahead));
    const MonoTime fired = fires_at(wheel, 1);
    EXPECT_GE(fired, kStart + ahead) << ahead.count();
    EXPECT_LT(fired, kStart + ahead + 100ms) << ahead.count();
  }
}

// proves: AD30-WHEEL-3, AD30-TEST-1
TEST(TimingWheel, FrequentAdvancesNeverFireEarly) {
  Wheel wheel({}, kStart);
  wheel.insert(1, kStart + 2'350ms);
  for (Duration at = 0ms; at < 2'350ms; at += 10ms) ASSERT_TRUE(wheel.advance(kStart + at).empty()) << at.count();
  EXPECT_TRUE(wheel.advance(kStart + 2'399ms).empty());
  EXPECT_EQ(keys(wheel.advance(kStart + 2'400ms)), std::vector{1});
}

// proves: AD30-TEST-1, AD30-WHEEL-3
TEST(TimingWheel, DeadlinesBeyondTheCoarseRingAreKeptToTheTick) {
  for (const Duration ahead : {120s, 300s, 1'000s, 86'400s}) {
    Wheel wheel({}, kStart);
    wheel.insert(1, kStart + ahead);
    EXPECT_EQ(fires_at(wheel, 1), kStart + ahead);
    Wheel clamped({}, kStart, true);
    clamped.insert(1, kStart + ahead);
    EXPECT_LT(fires_at(clamped, 1), kStart + 64s) << "the planted bug is not one";
  }
}

// proves: AD30-TEST-1
TEST(TimingWheel, EntriesInOneBucketFireInTheirOwnRound) {
  Wheel wheel({}, kStart);
  for (int round = 5; round >= 0; --round) wheel.insert(round, kStart + 10s + round * 64s);
  for (int round = 0; round <= 5; ++round) EXPECT_EQ(fires_at(wheel, round), kStart + 10s + round * 64s);
}

// proves: AD30-WHEEL-2
TEST(TimingWheel, MovesEarlierAndNeverLater) {
  Wheel wheel({}, kStart);
  const auto handle = *wheel.insert(1, kStart + 30s);
  EXPECT_FALSE(wheel.move_earlier(handle, kStart + 31s));
  EXPECT_FALSE(wheel.move_earlier(handle, kStart + 30s));
  EXPECT_EQ(wheel.expiration(handle), kStart + 30s);
  EXPECT_TRUE(wheel.move_earlier(handle, kStart + 3s));
  EXPECT_EQ(fires_at(wheel, 1), kStart + 3s);
  EXPECT_FALSE(wheel.move_earlier(handle, kStart + 4s)) << "it is gone";
}

TEST(TimingWheel, AnExpirationInThePastFiresWithTheNextTick) {
  Wheel wheel({}, kStart);
  wheel.advance(kStart + 5'050ms);
  wheel.insert(1, kStart + 1s);
  EXPECT_EQ(wheel.next_wake(), kStart + 5'100ms);
  EXPECT_EQ(keys(wheel.advance(kStart + 5'100ms)), std::vector{1});
}

// proves: AD30-TEST-1
TEST(TimingWheel, FullRefusesAndTakesAgainAfterARemoval) {
  WheelConfig config;
  config.max_entries = 2;
  Wheel wheel(config, kStart);
  const auto first = wheel.insert(1, kStart + 1s);
  EXPECT_TRUE(wheel.insert(2, kStart + 2s));
  EXPECT_FALSE(wheel.insert(3, kStart + 3s));
  EXPECT_TRUE(wheel.remove(*first));
  EXPECT_FALSE(wheel.remove(*first));
  const auto third = wheel.insert(3, kStart + 3s);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->slot, first->slot);
  EXPECT_FALSE(wheel.remove(*first)) << "an old handle must not reach the new entry";
  EXPECT_EQ(wheel.size(), 2U);
}

TEST(TimingWheel, RetainsWhatIsStillWanted) {
  Wheel wheel({}, kStart);
  for (int key = 0; key < 10; ++key) wheel.insert(key, kStart + key * 1s);
  EXPECT_EQ(wheel.retain([](int key) { return key % 2 == 0; }), 5U);
  EXPECT_EQ(keys(wheel.advance(kStart + 20s)), (std::vector{0, 2, 4, 6, 8}));
  EXPECT_EQ(wheel.next_wake(), MonoTime::max());
}

// proves part: AD30-WHEEL-1 (one ticker, and no long search; a tree would pass for O(1))
TEST(TimingWheel, AnIdleWheelAsksForNoWakeUp) {
  Wheel wheel({}, kStart);
  EXPECT_EQ(wheel.next_wake(), MonoTime::max());
  const auto handle = *wheel.insert(1, kStart + 40s);
  EXPECT_GE(wheel.next_wake(), kStart + 39s) << "one wake-up to deal out, not one a tick";
  wheel.remove(handle);
  EXPECT_EQ(wheel.next_wake(), MonoTime::max());
}

// All in one bucket: whoever looked for an entry in it would still be looking when the test is stopped.
// proves part: AD30-WHEEL-1 (one ticker, and no long search; a tree would pass for O(1))
TEST(TimingWheel, InsertMoveAndRemoveDoNotSearchTheBucket) {
  WheelConfig config;
  config.max_entries = 300'000;
  Wheel wheel(config, kStart);
  std::vector<Wheel::Handle> handles;
  for (int key = 0; key < 300'000; ++key) handles.push_back(*wheel.insert(key, kStart + 30s));
  for (std::size_t i = 1; i < handles.size(); i += 3) ASSERT_TRUE(wheel.move_earlier(handles[i], kStart + 20s));
  for (std::size_t i = 0; i < handles.size(); i += 3) ASSERT_TRUE(wheel.remove(handles[i]));
  EXPECT_EQ(wheel.advance(kStart + 20s).size(), 100'000U);
  EXPECT_EQ(wheel.advance(kStart + 30s).size(), 100'000U);
}

// proves part: AD30-WHEEL-1 (one ticker, and no long search; a tree would pass for O(1))
TEST(TimingWheel, OneTickerServesTenThousandEntries) {
  Wheel wheel({}, kStart);
  for (int key = 0; key < 10'000; ++key) ASSERT_TRUE(wheel.insert(key, kStart + 5s + key % 250 * 100ms));
  EXPECT_FALSE(wheel.insert(10'000, kStart + 5s)) << "the default limit";
  std::size_t fired = 0;
  std::size_t wakes = 0;
  for (; wheel.next_wake() != MonoTime::max(); ++wakes) fired += wheel.advance(wheel.next_wake()).size();
  EXPECT_EQ(fired, 10'000U);
  EXPECT_LE(wakes, 300U) << "at most one for each tick and each turn";
}

// The slow obvious wheel: a map from expiration to keys.
class Oracle {
 public:
  void insert(int key, MonoTime expiration) { at_[key] = expiration; }
  void remove(int key) { at_.erase(key); }
  const std::map<int, MonoTime>& entries() const { return at_; }

 private:
  std::map<int, MonoTime> at_;
};

struct WheelUnderTest {
  WheelUnderTest(const WheelConfig& config) : tick(config.fine_tick), wheel(config, kStart) {}

  void insert(Duration ahead) {
    const int key = next_key++;
    const auto handle = wheel.insert(key, now + ahead);
    RC_ASSERT(handle.has_value());
    handles[key] = *handle;
    oracle.insert(key, now + ahead);
  }
  void remove_one(std::size_t pick) {
    if (handles.empty()) return;
    const auto entry = std::next(handles.begin(), static_cast<std::ptrdiff_t>(pick % handles.size()));
    RC_ASSERT(wheel.remove(entry->second));
    oracle.remove(entry->first);
    handles.erase(entry);
  }
  void move_one(std::size_t pick, Duration ahead) {
    if (handles.empty()) return;
    const auto entry = std::next(handles.begin(), static_cast<std::ptrdiff_t>(pick % handles.size()));
    const bool earlier = now + ahead < oracle.entries().at(entry->first);
    RC_ASSERT(wheel.move_earlier(entry->second, now + ahead) == earlier);
    if (earlier) oracle.insert(entry->first, now + ahead);
  }
  // Either by the wheel's own wake-ups or in one jump; nothing may be early, and nothing a tick late.
  void pass(Duration time, bool jump) {
    const MonoTime until = now + time;
    while (!jump && wheel.next_wake() <= until) turn(std::max(now, wheel.next_wake()));
    turn(until);
    for (const auto& [key, expiration] : oracle.entries()) {
      RC_ASSERT(expiration + tick > now);
    }
  }
  void turn(MonoTime to) {
    now = to;
    for (const auto& due : wheel.advance(now)) {
      RC_ASSERT(oracle.entries().contains(due.key));
      RC_ASSERT(oracle.entries().at(due.key) == due.expiration);
      RC_ASSERT(due.expiration <= now);
      oracle.remove(due.key);
      handles.erase(due.key);
    }
    RC_ASSERT(wheel.size() == oracle.entries().size());
  }

  Duration tick;
  Wheel wheel;
  Oracle oracle;
  std::map<int, Wheel::Handle> handles;
  MonoTime now = kStart;
  int next_key = 0;
};

// proves: AD30-WHEEL-3, AD30-TEST-1
RC_GTEST_PROP(TimingWheel, AgreesWithASortedMap, ()) {
  WheelConfig config;
  config.fine_tick = *rc::gen::element(Duration(1ms), Duration(20ms), Duration(100ms));
  config.fine_buckets = *rc::gen::inRange<std::size_t>(2, 65);
  config.coarse_buckets = *rc::gen::inRange<std::size_t>(2, 65);
  WheelUnderTest test(config);
  const auto horizon = 3 * config.coarse_tick().count() * static_cast<Duration::rep>(config.coarse_buckets);
  const auto steps = *rc::gen::inRange(1, 60);
  for (int step = 0; step < steps; ++step) {
    const Duration ahead(*rc::gen::inRange<Duration::rep>(1, horizon));
    const auto pick = *rc::gen::inRange<std::size_t>(0, 1'000);
    switch (*rc::gen::inRange(0, 6)) {
      case 0:
        test.remove_one(pick);
        break;
      case 1:
        test.move_one(pick, ahead / 2);
        break;
      case 2:
        test.pass(ahead / 4, *rc::gen::arbitrary<bool>());
        break;
      default:
        test.insert(ahead);
    }
  }
  test.pass(Duration(2 * horizon), false);
  RC_ASSERT(test.wheel.size() == 0U);
}

RC_GTEST_PROP(TimingWheel, FiringOrderIgnoresInsertionOrder, ()) {
  const auto order = *rc::gen::unique<std::vector<int>>(rc::gen::inRange(0, 200));
  auto sorted = order;
  std::sort(sorted.begin(), sorted.end());
  Wheel one({}, kStart);
  Wheel other({}, kStart);
  for (const int key : order) one.insert(key, kStart + key % 7 * 40ms);
  for (const int key : sorted) other.insert(key, kStart + key % 7 * 40ms);
  RC_ASSERT(one.advance(kStart + 1s) == other.advance(kStart + 1s));
}

}  // namespace
}  // namespace hyperscale::membership

#include "wire/replay_guard.h"

#include "base/prng.h"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::wire {
namespace {

const WallTime kStart = WallTime::from_ns((kSnowflakeEpochUnixMs + 1'000'000'000) * 1'000'000);
const NodeAddress kA = address_v4(10, 0, 0, 1, 7100);
const NodeAddress kB = address_v4(10, 0, 0, 2, 7100);

SnowflakeId made(WallTime at, std::uint32_t sequence = 0, std::uint32_t node = 1) {
  return SnowflakeId(static_cast<std::uint64_t>(at.ms() - kSnowflakeEpochUnixMs) << 22 | std::uint64_t{node} << 12 |
                     sequence);
}

// proves part: SEC-4 (duplicates and stale ones are refused; no setting of a node gives the window)
TEST(ReplayGuard, TheSameMessagePassesOnce) {
  ReplayGuard guard;
  EXPECT_EQ(guard.check(kA, made(kStart), kStart), ReplayVerdict::kFresh);
  EXPECT_EQ(guard.check(kA, made(kStart), kStart), ReplayVerdict::kDuplicate);
  EXPECT_EQ(guard.check(kA, made(kStart), kStart + 59s), ReplayVerdict::kDuplicate);
  EXPECT_EQ(guard.check(kA, made(kStart), kStart + 61s), ReplayVerdict::kStale);
  EXPECT_EQ(guard.check(kA, made(kStart, 1), kStart), ReplayVerdict::kFresh);
}

// proves part: SEC-4 (duplicates and stale ones are refused; no setting of a node gives the window)
TEST(ReplayGuard, TheWindowSlidesAndCanBeConfigured) {
  for (const auto& [back, ahead] : {std::pair<Duration, Duration>{60s, 5s}, {10s, 1s}, {500ms, 0s}}) {
    ReplayConfig config;
    config.back = back;
    config.ahead = ahead;
    ReplayGuard guard(config);
    EXPECT_EQ(guard.check(kA, made(kStart), kStart + back), ReplayVerdict::kFresh);
    EXPECT_EQ(guard.check(kA, made(kStart, 1), kStart + back + 1ms), ReplayVerdict::kStale);
    const WallTime later = kStart + back;
    EXPECT_EQ(guard.check(kA, made(later + ahead), later), ReplayVerdict::kFresh);
    EXPECT_EQ(guard.check(kA, made(later + ahead + 1ms), later), ReplayVerdict::kAhead);
  }
  EXPECT_EQ(ReplayConfig{}.back, 60s);
  EXPECT_EQ(ReplayConfig{}.ahead, 5s);
}

TEST(ReplayGuard, MessagesMayOvertakeEachOther) {
  ReplayGuard guard;
  for (const int second : {3, 1, 2, 0}) {
    EXPECT_EQ(guard.check(kA, made(kStart + second * 1s), kStart + 4s), ReplayVerdict::kFresh);
  }
  for (const int second : {0, 1, 2, 3}) {
    EXPECT_EQ(guard.check(kA, made(kStart + second * 1s), kStart + 4s), ReplayVerdict::kDuplicate);
  }
}

TEST(ReplayGuard, NodesWithTheSameIdsDoNotDisturbEachOther) {
  ReplayGuard guard;
  EXPECT_EQ(guard.check(kA, made(kStart), kStart), ReplayVerdict::kFresh);
  EXPECT_EQ(guard.check(kB, made(kStart), kStart), ReplayVerdict::kFresh);
  EXPECT_EQ(guard.check(kB, made(kStart), kStart), ReplayVerdict::kDuplicate);
  NodeAddress other_port = kA;
  other_port.port = 7101;
  EXPECT_EQ(guard.check(other_port, made(kStart), kStart), ReplayVerdict::kFresh);
}

TEST(ReplayGuard, AClockThatGoesBackLetsNothingInAgain) {
  ReplayGuard guard;
  EXPECT_EQ(guard.check(kA, made(kStart), kStart), ReplayVerdict::kFresh);
  EXPECT_EQ(guard.check(kA, made(kStart + 40s), kStart + 40s), ReplayVerdict::kFresh);
  EXPECT_EQ(guard.check(kA, made(kStart + 61s), kStart + 61s), ReplayVerdict::kFresh);  // the first one expires
  EXPECT_EQ(guard.remembered_ids(), 2u);
  EXPECT_NE(guard.check(kA, made(kStart), kStart + 1s), ReplayVerdict::kFresh);
}

TEST(ReplayGuard, ClockGoingBackAllowsNoReplay) {
  ReplayGuard guard;
  EXPECT_EQ(guard.check(kB, made(kStart), kStart), ReplayVerdict::kFresh);
  EXPECT_EQ(guard.check(kA, made(kStart + 300s), kStart + 300s), ReplayVerdict::kFresh);
  EXPECT_EQ(guard.sources(), 1u);
  EXPECT_NE(guard.check(kB, made(kStart), kStart + 1s), ReplayVerdict::kFresh);
}

TEST(ReplayGuard, AfterARestartWhatCameBeforeIsStale) {
  ReplayGuard guard({}, kStart);
  EXPECT_EQ(guard.check(kA, made(kStart - 1ms, kSnowflakeSequenceMax, kSnowflakeNodeMax), kStart),
            ReplayVerdict::kStale);
  EXPECT_EQ(guard.check(kA, made(kStart), kStart), ReplayVerdict::kFresh);
}

TEST(ReplayGuard, MemoryPerSourceForgetsTheOldest) {
  ReplayConfig config;
  config.ids_per_source_max = 4;
  ReplayGuard guard(config);
  for (std::uint32_t i = 1; i <= 6; ++i) EXPECT_EQ(guard.check(kA, made(kStart, i), kStart), ReplayVerdict::kFresh);
  EXPECT_EQ(guard.remembered_ids(), 4u);
  EXPECT_EQ(guard.forgotten(), 2u);
  for (const std::uint32_t gone : {0u, 1u, 2u}) {
    EXPECT_EQ(guard.check(kA, made(kStart, gone), kStart), ReplayVerdict::kStale) << gone;
  }
  for (std::uint32_t i = 3; i <= 6; ++i) EXPECT_EQ(guard.check(kA, made(kStart, i), kStart), ReplayVerdict::kDuplicate);
}

TEST(ReplayGuard, ForgottenSourcesCannotBeReplayed) {
  ReplayConfig config;
  config.sources_max = 10;
  ReplayGuard guard(config);
  const auto source = [](std::uint8_t i) { return address_v4(10, 1, 0, i, 1); };
  for (std::uint8_t i = 0; i < 100; ++i) {
    const WallTime now = kStart + i * 10ms;
    EXPECT_EQ(guard.check(source(i), made(now), now), ReplayVerdict::kFresh);
    EXPECT_LE(guard.sources(), 10u);
  }
  EXPECT_EQ(guard.forgotten(), 90u);
  for (std::uint8_t i = 0; i < 100; ++i) {
    EXPECT_NE(guard.check(source(i), made(kStart + i * 10ms), kStart + 1s), ReplayVerdict::kFresh);
  }
}

TEST(ReplayGuard, TheWholeMemoryIsBounded) {
  ReplayConfig config;
  config.ids_max = 20;
  ReplayGuard guard(config);
  for (std::uint32_t i = 0; i < 200; ++i) {
    const WallTime now = kStart + i * 1ms;
    EXPECT_EQ(guard.check(i % 3 == 0 ? kA : kB, made(now), now), ReplayVerdict::kFresh);
    EXPECT_LE(guard.remembered_ids(), 20u);
  }
  for (std::uint32_t i = 0; i < 200; ++i) {
    EXPECT_NE(guard.check(i % 3 == 0 ? kA : kB, made(kStart + i * 1ms), kStart + 1s), ReplayVerdict::kFresh);
  }
}

TEST(ReplayGuard, SourcesThatFellSilentTakeNoMemory) {
  ReplayGuard guard;
  guard.check(kB, made(kStart), kStart);
  guard.check(kA, made(kStart + 66s), kStart + 66s);
  EXPECT_EQ(guard.sources(), 1u);
  EXPECT_EQ(guard.remembered_ids(), 1u);
  EXPECT_EQ(guard.forgotten(), 0u);
}

// Against an oracle that forgets nothing: whatever the bounds and the clock do, nothing passes twice, and with room
// enough everything within the window passes.
// proves part: SEC-4 (duplicates and stale ones are refused; no setting of a node gives the window)
TEST(ReplayGuard, NothingEverPassesTwice) {
  EXPECT_TRUE(rc::check("random traffic", [](std::uint64_t seed) {
    Prng prng(seed);
    ReplayConfig config;
    config.back = 50ms;
    config.ahead = 10ms;
    const bool roomy = prng.below(2) == 0;
    if (!roomy) {
      config.ids_per_source_max = 1 + prng.below(6);
      config.ids_max = 1 + prng.below(12);
      config.sources_max = 1 + prng.below(4);
    }
    const bool steady = prng.below(2) == 0;
    ReplayGuard guard(config);
    std::set<std::pair<std::uint8_t, SnowflakeId>> passed;
    WallTime now = kStart;
    for (int i = 0; i < 400; ++i) {
      now += prng.between(0ms, 5ms);
      if (!steady && prng.below(20) == 0) now = now - prng.between(0ms, 100ms);
      const auto source = static_cast<std::uint8_t>(prng.below(5));
      const WallTime at = now + prng.between(-60ms, 15ms);
      const SnowflakeId id = made(at, static_cast<std::uint32_t>(prng.below(3)));
      const ReplayVerdict verdict = guard.check(address_v4(10, 0, 0, source, 1), id, now);
      const bool seen = passed.contains({source, id});
      if (verdict == ReplayVerdict::kFresh) {
        RC_ASSERT(!seen);
        passed.emplace(source, id);
      }
      RC_ASSERT(guard.remembered_ids() <= config.ids_max);
      RC_ASSERT(guard.sources() <= config.sources_max);
      const WallTime made_at = parts_of(id).made_at;
      if (roomy && steady && !seen && made_at >= now - config.back && made_at <= now + config.ahead) {
        RC_ASSERT(verdict == ReplayVerdict::kFresh);
      }
    }
  }));
}

}  // namespace
}  // namespace hyperscale::wire

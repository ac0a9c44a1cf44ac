#include "test_world.h"

#include <algorithm>
#include <array>
#include <functional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::realtime {
namespace {

constexpr std::size_t kWords = 1'000;
// Above 2^53 a double would lose the last bits.
constexpr std::uint64_t kLarge = (std::uint64_t{1} << 60) + 1;

WorldConfig block_world(Mode mode = Mode::kLockstep) {
  WorldConfig config;
  config.mode = mode;
  config.block_words = kWords;
  config.propagators = {{.name = "count", .writes = {}, .step = [](StepContext& tick) {
                           std::ranges::fill(tick.write_block(), kLarge + tick.tick());
                           return Status();
                         }}};
  return config;
}

TEST(Block, WordsAreSeenAsTheyWereWritten) {
  const auto world = std::move(*World::make(block_world()));
  std::vector<std::uint64_t> words(kWords);
  EXPECT_EQ(world->observe_block(words).error().kind, ObsErrorKind::kNoSnapshot);
  ASSERT_TRUE(world->step());
  ASSERT_TRUE(world->step());
  const ObsResult seen = world->observe_block(words);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->tick, 2U);
  EXPECT_EQ(seen->age_ticks, 0U);
  EXPECT_EQ(std::ranges::count(words, kLarge + 2), static_cast<std::ptrdiff_t>(kWords));
}

TEST(Block, ATickThatDoesNotWriteItCarriesItOn) {
  WorldConfig config = block_world();
  config.propagators[0].step = [](StepContext& tick) {
    if (tick.tick() == 1) std::ranges::fill(tick.write_block(), kLarge);
    return tick.tick() == 3 ? Status(fail(ErrorCode::kInternal, "dropped")) : Status();
  };
  const auto world = std::move(*World::make(std::move(config)));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(world->step());
  std::vector<std::uint64_t> words(kWords);
  EXPECT_EQ(world->observe_block(words)->tick, 2U);
  EXPECT_EQ(words.back(), kLarge);
}

TEST(Block, IsZeroBeforeItIsWritten) {
  WorldConfig config = block_world();
  config.propagators.clear();
  const auto world = std::move(*World::make(std::move(config)));
  ASSERT_TRUE(world->step());
  std::vector<std::uint64_t> words(kWords, 7);
  ASSERT_TRUE(world->observe_block(words));
  EXPECT_EQ(std::ranges::count(words, std::uint64_t{0}), static_cast<std::ptrdiff_t>(kWords));
}

TEST(Block, RefusesShortBufferNoBlockAndEndedWorld) {
  const auto world = std::move(*World::make(block_world()));
  ASSERT_TRUE(world->step());
  std::vector<std::uint64_t> words(kWords);
  EXPECT_EQ(world->observe_block(std::span(words).first(kWords - 1)).error().kind, ObsErrorKind::kBufferTooSmall);
  world->shutdown();
  EXPECT_EQ(world->observe_block(words).error().kind, ObsErrorKind::kShuttingDown);
  WorldConfig without;
  without.fields = {{.name = "rate"}};
  without.mode = Mode::kLockstep;
  const auto other = std::move(*World::make(std::move(without)));
  EXPECT_EQ(other->observe_block(words).error().kind, ObsErrorKind::kNotAvailable);
}

TEST(Block, ATickCanBeHadNow) {
  WorldConfig config = block_world(Mode::kRealtimeAsync);
  config.tick_rate_hz = 0.001;  // the next one comes in a quarter of an hour
  const auto world = std::move(*World::make(std::move(config)));
  wait_until([&] { return world->health().has_snapshot; });
  std::vector<std::uint64_t> words(kWords);
  const std::uint64_t before = world->observe_block(words)->tick;
  ASSERT_TRUE(world->tick_now(kAnswerTime));
  EXPECT_EQ(world->observe_block(words)->tick, before + 1);
  world->shutdown();
  EXPECT_FALSE(world->tick_now(1ms));
}

// Observers on several threads against a fast engine: every copy is of one tick.
TEST(Block, IsWholeUnderAFastEngine) {
  WorldConfig config = block_world(Mode::kRealtimeAsync);
  config.tick_rate_hz = 5'000;
  const auto world = std::move(*World::make(std::move(config)));
  wait_until([&] { return world->health().has_snapshot; });
  std::vector<std::thread> threads;
  std::array<bool, 3> whole{};
  for (std::size_t i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      std::vector<std::uint64_t> words(kWords);
      whole[i] = true;
      for (int n = 0; n < 5'000; ++n) {
        const ObsResult seen = world->observe_block(words);
        if (!seen || words.front() != kLarge + seen->tick || words.back() != words.front()) whole[i] = false;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(std::ranges::all_of(whole, std::identity()));
}

}  // namespace
}  // namespace hyperscale::realtime

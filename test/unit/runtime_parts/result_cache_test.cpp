#include "runtime/cache/result_cache.h"

#include "freed_memory_watch.h"

#include <algorithm>
#include <atomic>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000);

ResultCache::Value bytes(std::size_t count) {
  return ResultCache::Value(count, 'x');
}

ResultCache::Value marked(std::size_t copies = 20) {
  ResultCache::Value value;
  for (std::size_t i = 0; i < copies; ++i) value.insert(value.end(), kFreedMemoryMark.begin(), kFreedMemoryMark.end());
  return value;
}

void put(ResultCache& cache, std::uint64_t id, ResultCache::Value value, MonoTime now = kStart) {
  ASSERT_TRUE(cache.begin(id, now));
  ASSERT_TRUE(cache.complete(id, std::move(value), now));
}

TEST(ResultCache, EntryGoesFromPendingToDone) {
  ResultCache cache({});
  EXPECT_FALSE(cache.find(7, kStart));
  ASSERT_TRUE(cache.begin(7, kStart));
  ASSERT_TRUE(cache.find(7, kStart));
  EXPECT_EQ(cache.find(7, kStart)->state, ResultState::kPending);
  ASSERT_TRUE(cache.complete(7, {'o', 'k'}, kStart));
  const auto found = cache.find(7, kStart);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->state, ResultState::kDone);
  EXPECT_EQ(found->value.text(), "ok");
  EXPECT_EQ(cache.stats().hits, 3U);
  EXPECT_EQ(cache.stats().misses, 1U);
}

TEST(ResultCache, EntryGoesFromPendingToFailed) {
  ResultCache cache({});
  ASSERT_TRUE(cache.begin(7, kStart));
  ASSERT_TRUE(cache.fail_with(7, {ErrorCode::kTimeout, "too slow"}, kStart));
  const auto found = cache.find(7, kStart);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->state, ResultState::kFailed);
  EXPECT_EQ(found->error->code, ErrorCode::kTimeout);
}

TEST(ResultCache, SettlesAnEntryOnce) {
  ResultCache cache({});
  put(cache, 7, bytes(3));
  EXPECT_EQ(cache.complete(7, bytes(4), kStart).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(cache.fail_with(8, {ErrorCode::kTimeout, ""}, kStart).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(cache.begin(7, kStart).error().code, ErrorCode::kConflict);
  EXPECT_EQ(cache.find(7, kStart)->value.size(), 3U);
}

TEST(ResultCache, ForgetTakesOnlyPendingEntriesBack) {
  ResultCache cache({});
  ASSERT_TRUE(cache.begin(1, kStart));
  cache.forget(1);
  cache.forget(2);
  EXPECT_FALSE(cache.find(1, kStart));
  put(cache, 1, bytes(3));
  cache.forget(1);
  EXPECT_TRUE(cache.find(1, kStart));
}

TEST(ResultCache, RefusesMorePendingEntriesThanItsLimit) {
  ResultCache cache({.entries_max = 4, .pending_max = 2});
  ASSERT_TRUE(cache.begin(1, kStart));
  ASSERT_TRUE(cache.begin(2, kStart));
  EXPECT_EQ(cache.begin(3, kStart).error().code, ErrorCode::kBusy);
  ASSERT_TRUE(cache.complete(1, {}, kStart));
  EXPECT_TRUE(cache.begin(3, kStart));
}

// proves part: NODE-INV-11 (bounds and shutdown, not expiry)
TEST(ResultCache, EvictsLeastRecentlyUsedAtEntryLimit) {
  ResultCache cache({.entries_max = 3, .pending_max = 2});
  for (std::uint64_t id = 1; id <= 3; ++id) put(cache, id, bytes(8));
  ASSERT_TRUE(cache.find(1, kStart));
  put(cache, 4, bytes(8));
  EXPECT_FALSE(cache.find(2, kStart));
  EXPECT_TRUE(cache.find(1, kStart) && cache.find(3, kStart) && cache.find(4, kStart));
  EXPECT_EQ(cache.stats().entries, 3U);
  EXPECT_EQ(cache.stats().evictions, 1U);
}

// proves part: NODE-INV-11 (bounds and shutdown, not expiry)
TEST(ResultCache, IsBoundedInBytes) {
  ResultCache cache({.bytes_max = 100});
  put(cache, 1, bytes(60));
  put(cache, 2, bytes(40));
  EXPECT_EQ(cache.stats().value_bytes, 100U);
  put(cache, 3, bytes(50));
  EXPECT_FALSE(cache.find(1, kStart));
  EXPECT_TRUE(cache.find(2, kStart) && cache.find(3, kStart));
  EXPECT_EQ(cache.stats().value_bytes, 90U);
}

TEST(ResultCache, ValueThatCanNeverFitFailsItsEntry) {
  ResultCache cache({.bytes_max = 100});
  put(cache, 1, bytes(60));
  ASSERT_TRUE(cache.begin(2, kStart));
  EXPECT_EQ(cache.complete(2, bytes(101), kStart).error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(cache.find(2, kStart)->state, ResultState::kFailed);
  EXPECT_EQ(cache.find(2, kStart)->error->code, ErrorCode::kTooLarge);
  EXPECT_TRUE(cache.find(1, kStart)) << "nothing was evicted for it";
}

TEST(ResultCache, NeverEvictsPendingEntries) {
  ResultCache cache({.entries_max = 2, .pending_max = 2});
  ASSERT_TRUE(cache.begin(1, kStart));
  put(cache, 2, bytes(8));
  ASSERT_TRUE(cache.begin(3, kStart));
  EXPECT_TRUE(cache.find(1, kStart));
  EXPECT_FALSE(cache.find(2, kStart));
}

TEST(ResultCache, ForgetsByTimeWhetherAskedOrNot) {
  ResultCache cache({.time_to_live = 10s});
  put(cache, 1, bytes(8));
  ASSERT_TRUE(cache.begin(2, kStart));
  ASSERT_TRUE(cache.find(1, kStart + 9s));
  EXPECT_FALSE(cache.find(1, kStart + 10s)) << "a look does not prolong the life";
  EXPECT_EQ(cache.complete(2, bytes(8), kStart + 10s).error().code, ErrorCode::kNotFound);
  put(cache, 3, bytes(8), kStart + 10s);
  cache.expire(kStart + 20s);
  EXPECT_EQ(cache.stats().entries, 0U);
  EXPECT_EQ(cache.stats().value_bytes, 0U);
  EXPECT_EQ(cache.stats().expirations, 3U);
}

TEST(ResultCache, LifeStartsAnewWhenTheResultArrives) {
  ResultCache cache({.time_to_live = 10s});
  ASSERT_TRUE(cache.begin(1, kStart));
  ASSERT_TRUE(cache.complete(1, bytes(8), kStart + 9s));
  EXPECT_TRUE(cache.find(1, kStart + 18s));
  EXPECT_FALSE(cache.find(1, kStart + 19s));
}

class ResultCacheWipe : public testing::Test {
 protected:
  void SetUp() override {
    if (!FreedMemoryWatch::possible()) GTEST_SKIP() << "freed memory cannot be watched in this build";
  }
};

TEST_F(ResultCacheWipe, TheWatchSeesWhatIsNotWiped) {
  const FreedMemoryWatch watch;
  {
    const std::vector<std::uint8_t> plain(kFreedMemoryMark.begin(), kFreedMemoryMark.end());
    // Or the optimiser sees that nobody reads the bytes and never writes them.
    asm volatile("" : : "r"(plain.data()) : "memory");
  }
  EXPECT_EQ(watch.unwiped(), 1);
}

// proves part: NODE-INV-11 (bounds and shutdown, not expiry)
TEST_F(ResultCacheWipe, ClearOverwritesEveryValue) {
  const FreedMemoryWatch watch;
  ResultCache cache({});
  for (std::uint64_t id = 1; id <= 50; ++id) put(cache, id, marked());
  ASSERT_TRUE(cache.begin(51, kStart));
  cache.clear();
  EXPECT_EQ(cache.stats().entries, 0U);
  EXPECT_EQ(cache.stats().pending, 0U);
  EXPECT_EQ(cache.stats().value_bytes, 0U);
  EXPECT_EQ(watch.unwiped(), 0);
  put(cache, 1, marked());
  EXPECT_TRUE(cache.find(1, kStart)) << "usable afterwards";
}

TEST_F(ResultCacheWipe, EvictionExpiryAndRefusalWipeValues) {
  const FreedMemoryWatch watch;
  {
    ResultCache cache({.entries_max = 2, .pending_max = 2, .bytes_max = 4096, .time_to_live = 10s});
    for (std::uint64_t id = 1; id <= 10; ++id) put(cache, id, marked());
    EXPECT_EQ(cache.complete(99, marked(), kStart).error().code, ErrorCode::kNotFound);
    ASSERT_TRUE(cache.begin(11, kStart));
    EXPECT_EQ(cache.complete(11, marked(1000), kStart).error().code, ErrorCode::kTooLarge);
    cache.expire(kStart + 10s);
    EXPECT_EQ(cache.stats().entries, 0U);
    put(cache, 12, marked(), kStart + 10s);
  }
  EXPECT_EQ(watch.unwiped(), 0);
}

TEST_F(ResultCacheWipe, ValueInUseIsWipedAfterItsLastReader) {
  const FreedMemoryWatch watch;
  ResultCache cache({});
  put(cache, 1, marked());
  {
    const auto reading = cache.find(1, kStart);
    cache.clear();
    EXPECT_EQ(reading->value.text().substr(0, kFreedMemoryMark.size()), kFreedMemoryMark);
  }
  EXPECT_EQ(watch.unwiped(), 0);
}

TEST(ResultCache, ManyThreadsKeepTheBounds) {
  ResultCache cache({.entries_max = 32, .pending_max = 8, .bytes_max = 4096, .time_to_live = 1ms});
  std::atomic<bool> broken = false;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t round = 0; round < 3000; ++round) {
        const MonoTime now = kStart + std::chrono::microseconds(round);
        const std::uint64_t id = t * 100'000 + round;
        if (cache.begin(id, now)) {
          if (round % 3 == 0)
            (void)cache.fail_with(id, {ErrorCode::kTimeout, "late"}, now);
          else
            (void)cache.complete(id, bytes(round % 500), now);
        }
        (void)cache.find(id > 3 ? id - 3 : id, now);
        if (round % 500 == 0) cache.clear();
        const ResultCacheStats stats = cache.stats();
        if (stats.entries > 32 || stats.pending > 8 || stats.value_bytes > 4096) broken = true;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_FALSE(broken);
}

}  // namespace
}  // namespace hyperscale::runtime

#include "realtime/snapshot/worker_record.h"

#include "realtime/snapshot/coarse_clock.h"
#include "realtime/snapshot/pinned_words.h"
#include "recording_sync.h"

#include <cstdint>
#include <latch>
#include <map>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::realtime {
namespace {

using Log = AccessLog;
constexpr auto kAcq = std::memory_order_acquire;
constexpr auto kRel = std::memory_order_release;
constexpr auto kSeq = std::memory_order_seq_cst;

// proves: MURK-EPOCH-1, MURK-EPOCH-2, MURK-EPOCH-3, MURK-EPOCH-4, MURK-TEST-1
TEST(EpochCounter, CountsFromZeroWithReleaseAndAcquire) {
  EpochCounter<RecordingSync> counter;
  RecordingSync::take();
  EXPECT_EQ(counter.current(), 0u);
  EXPECT_EQ(RecordingSync::take(), (Log{{'l', kAcq}}));
  EXPECT_EQ(counter.advance(), 1u);
  EXPECT_EQ(RecordingSync::take(), (Log{{'a', kRel}}));
  Epoch last = counter.current();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(counter.advance(), last + 1);
    ASSERT_EQ(counter.current(), last + 1);
    last = counter.current();
  }
  static_assert(std::is_same_v<Epoch, std::uint64_t>);
}

// proves: MURK-TEST-12, MURK-EPOCH-1, MURK-EPOCH-2, MURK-EPOCH-4
TEST(EpochCounter, ConcurrentAdvancesAreMonotonousAndLoseNothing) {
  EpochCounter<> counter;
  constexpr int kThreads = 4, kAdvances = 2'000'000;
  std::latch start(kThreads);
  std::vector<std::thread> threads;
  std::atomic<bool> monotonous{true};
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      start.arrive_and_wait();
      Epoch last = 0;
      for (int i = 0; i < kAdvances; ++i) {
        const Epoch own = counter.advance();
        const Epoch seen = counter.current();
        if (own <= last || seen < own) monotonous = false;
        last = seen;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(monotonous);
  EXPECT_EQ(counter.current(), Epoch{kThreads} * kAdvances);
}

// proves: MURK-PIN-1
TEST(WorkerRecord, NeighboursShareNoLineOf128Bytes) {
  static_assert(alignof(WorkerRecord<>) == 128);
  const std::vector<WorkerRecord<>> records(3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&records[0]) % 128, 0u);
  for (std::size_t i = 1; i < records.size(); ++i) {
    EXPECT_EQ(reinterpret_cast<const char*>(&records[i]) - reinterpret_cast<const char*>(&records[i - 1]), 128);
  }
}

// proves: MURK-TEST-2
// proves part: MURK-PIN-3 (what unpin stores; not the order of its two stores)
TEST(WorkerRecord, PinStoresTheEpochAndUnpinTheSentinel) {
  WorkerRecord<> record(7);
  EXPECT_EQ(record.id(), 7u);
  EXPECT_EQ(record.pinned_epoch(), ~std::uint64_t{0});
  EXPECT_EQ(record.last_quiesce_ns(), 0);
  record.pin(42, 1000);
  EXPECT_TRUE(record.is_pinned());
  EXPECT_EQ(record.pinned_epoch(), 42u);
  EXPECT_EQ(record.last_quiesce_ns(), 0);
  record.unpin(2000);
  EXPECT_FALSE(record.is_pinned());
  EXPECT_EQ(record.pinned_epoch(), kEpochUnpinned);
  EXPECT_EQ(record.last_quiesce_ns(), 2000);
}

// proves: MURK-PIN-2, MURK-PIN-4, MURK-PIN-5, MURK-SAFE-2
// proves part: MURK-SAFE-9 (the start is stored before the pin; not that a worker stamps it with a fresh time)
// proves part: MURK-PIN-3 (both stores release; not which one comes first)
TEST(WorkerRecord, OrdersAreThoseOfTheProtocol) {
  WorkerRecord<RecordingSync> record;
  RecordingSync::take();
  record.pin(5, 1);
  const Log pin = RecordingSync::take();
  // The pin itself comes last and is sequentially consistent: the look at the ring that follows cannot overtake it.
  EXPECT_EQ(pin.back(), (AtomicAccess{'x', kSeq}));
  EXPECT_EQ(pin.front(), (AtomicAccess{'s', kRel})) << "the start time is stored before the pin";
  record.unpin(2);
  EXPECT_EQ(RecordingSync::take(), (Log{{'s', kRel}, {'s', kRel}}));
  record.is_pinned();
  record.pinned_epoch();
  record.last_quiesce_ns();
  EXPECT_EQ(RecordingSync::take(), (Log{{'l', kAcq}, {'l', kAcq}, {'l', kAcq}}));
  record.pinned_epoch_sequential();
  EXPECT_EQ(RecordingSync::take(), (Log{{'l', kSeq}}));
  record.is_cancelled();
  const Log asked = RecordingSync::take();
  EXPECT_FALSE(asked.empty());
  for (const auto& entry : asked) EXPECT_EQ(entry, (AtomicAccess{'l', kAcq}));
  record.request_cancel(1);
  record.clear_cancel();
  EXPECT_EQ(RecordingSync::take(), (Log{{'s', kRel}, {'s', kRel}}));
}

// proves part: MURK-STALL-4 (a view has its own start; not that a worker stamps it with a fresh time)
// proves part: MURK-SAFE-9 (a view has its own start; not that a worker stamps it with a fresh time)
TEST(WorkerRecord, AViewHasTheStartOfItsOwnPin) {
  WorkerRecord<> record;
  EXPECT_FALSE(record.view().is_pinned());
  record.pin(3, 100);
  EXPECT_EQ(record.view().start_ns, 100);
  record.unpin(150);
  record.pin(4, 900);
  EXPECT_EQ(record.view().epoch, 4u);
  EXPECT_EQ(record.view().start_ns, 900);
}

// proves: MURK-SAFE-7
// proves part: MURK-SAFE-9 (read until both agree; not that a worker stamps it with a fresh time)
TEST(WorkerRecord, AConcurrentViewNeverMixesTwoPins) {
  WorkerRecord<> record;
  std::atomic<bool> stop{false};
  std::thread owner([&] {
    for (Epoch epoch = 1; !stop; ++epoch) {
      record.pin(epoch, static_cast<std::int64_t>(epoch * 10));
      record.unpin(static_cast<std::int64_t>(epoch * 10));
    }
  });
  for (int seen = 0, looked = 0; seen < 2000 && looked < 2'000'000; ++looked) {
    const PinView view = record.view();
    if (!view.is_pinned()) continue;
    ++seen;
    ASSERT_EQ(view.start_ns, static_cast<std::int64_t>(view.epoch * 10));
    ASSERT_EQ(view.sequence, view.epoch);
  }
  stop = true;
  owner.join();
}

// The pinned word alone does not tell two pins of one epoch apart: a healthy one would be cancelled for the old one's
// time.
// proves: MURK-SAFE-7
// proves part: MURK-SAFE-9 (read until both agree; not that a worker stamps it with a fresh time)
TEST(WorkerRecord, AViewNeverMixesTwoPinsOfOneEpoch) {
  for (int moment = 0; moment < 8; ++moment) {
    WorkerRecord<RecordingSync> record;
    record.pin(1, 100);
    const std::uint64_t first = record.sequence();
    int loads = 0;
    RecordingSync::before_load = [&] {
      if (loads++ != moment) return;
      record.unpin(900);
      record.pin(1, 900);
    };
    const PinView view = record.view();
    RecordingSync::before_load = nullptr;
    EXPECT_EQ(view.start_ns, view.sequence == first ? 100 : 900) << "pinned again before load " << moment;
  }
  RecordingSync::take();
}

// proves part: MURK-SAFE-9 (read until both agree; not that a worker stamps it with a fresh time)
TEST(WorkerRecord, AReaderThatLetsGoMeanwhileIsNotPinned) {
  for (int moment = 0; moment < 4; ++moment) {
    WorkerRecord<RecordingSync> record;
    record.pin(1, 100);
    int loads = 0;
    RecordingSync::before_load = [&] {
      if (loads++ == moment) record.unpin(900);
    };
    const PinView view = record.view();
    RecordingSync::before_load = nullptr;
    EXPECT_FALSE(view.is_pinned()) << "unpinned before load " << moment;
  }
  RecordingSync::take();
}

// proves: MURK-PIN-5, MURK-TEST-9
// proves part: MURK-SAFE-12 (tied to a pin; not that the detector names the pin that it has judged)
TEST(WorkerRecord, ACancellationIsMeantForOnePin) {
  WorkerRecord<> record;
  EXPECT_FALSE(record.is_cancelled()) << "before the first pin";
  record.clear_cancel();
  EXPECT_FALSE(record.is_cancelled()) << "nor when there was nothing to clear";
  record.pin(1, 0);
  const std::uint64_t first = record.view().sequence;
  record.request_cancel(first);
  EXPECT_TRUE(record.is_cancelled());
  record.clear_cancel();
  EXPECT_FALSE(record.is_cancelled());
  record.request_cancel(first);
  record.unpin(0);
  record.pin(1, 0);
  EXPECT_FALSE(record.is_cancelled()) << "the same epoch again, but a new pin";
  record.request_cancel(first);
  EXPECT_FALSE(record.is_cancelled()) << "a late cancellation of the pin before";
}

// proves: MURK-RECL-1, MURK-TEST-3, MURK-TEST-4
TEST(PinnedWords, TheMinimumOfAllReaders) {
  EXPECT_EQ(min_pinned({}, {}), kEpochUnpinned);
  const std::vector<Epoch> none{kEpochUnpinned, kEpochUnpinned};
  EXPECT_EQ(min_pinned(none, {}), kEpochUnpinned);
  const std::vector<Epoch> mixed{9, kEpochUnpinned, 4, 7};
  EXPECT_EQ(min_pinned(mixed, {}), 4u);
  const std::vector<Epoch> least_first{3, 9}, least_last{9, 3};
  EXPECT_EQ(min_pinned(least_first, {}), 3u);
  EXPECT_EQ(min_pinned(least_last, {}), 3u);
}

// proves: MURK-RECL-5, MURK-TEST-8
TEST(PinnedWords, TheMinimumLeavesOverriddenReadersOut) {
  const std::vector<Epoch> mixed{9, kEpochUnpinned, 4, 7};
  EXPECT_EQ(min_pinned(mixed, {false, false, true, false}), 7u);
  EXPECT_EQ(min_pinned(mixed, {true, true, true, true}), kEpochUnpinned);
}

// proves part: MURK-PIN-7 (the clock is CLOCK_MONOTONIC; not that a world has it by default)
TEST(CoarseClock, FollowsTheMonotonicClockAndNeverGoesBack) {
  timespec before{}, after{};
  clock_gettime(CLOCK_MONOTONIC, &before);
  const MonoTime now = monotonic_now();
  clock_gettime(CLOCK_MONOTONIC, &after);
  EXPECT_GE(now.ns(), std::int64_t{before.tv_sec} * 1'000'000'000 + before.tv_nsec);
  EXPECT_LE(now.ns(), std::int64_t{after.tv_sec} * 1'000'000'000 + after.tv_nsec);
  CoarseClock clock;
  clock.refresh(MonoTime::from_ns(50));
  clock.refresh(MonoTime::from_ns(20));
  EXPECT_EQ(clock.now_ns(), 50);
}

}  // namespace
}  // namespace hyperscale::realtime

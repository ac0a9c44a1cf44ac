// Real threads on the real protocol, with readers held back at every step. Meant for the sanitizers as much as for the
// assertions: a reused generation is a data race and a wrong value.
#include "realtime/snapshot/generation_store.h"
#include "realtime/snapshot/pinned_generation.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::realtime {
namespace {

struct Values {
  std::array<Epoch, 32> words{};
  void reset() {}
};
using Store = GenerationStore<Values>;
using Pinned = PinnedGeneration<Values>;

// Gives the processor away at every third step, at a different one each time.
struct Preempt {
  mutable unsigned turn = 0;
  void operator()(Moment /*moment*/) const {
    if (++turn % 3 == 0) std::this_thread::yield();
  }
};

bool whole(const Pinned& pinned) {
  for (const Epoch word : pinned.payload().words) {
    if (word != pinned.epoch()) return false;
  }
  return true;
}

struct Outcome {
  std::atomic<std::uint64_t> torn{0};
  std::atomic<std::uint64_t> missing{0};
  std::atomic<std::uint64_t> read{0};
};

void read_latest(const Store& store, WorkerRecord<>& record, const CoarseClock& clock, const std::atomic<bool>& stop,
                 Outcome& outcome) {
  const Preempt preempt;
  while (!stop) {
    const auto pinned = Pinned::latest(store, record, clock, preempt);
    if (!pinned) {
      ++outcome.missing;
      continue;
    }
    if (!whole(*pinned)) ++outcome.torn;
    preempt(Moment::kRead);
    if (!whole(*pinned)) ++outcome.torn;
    ++outcome.read;
  }
}

void read_oldest(const Store& store, WorkerRecord<>& record, const CoarseClock& clock, const std::atomic<bool>& stop,
                 Outcome& outcome) {
  const Preempt preempt;
  while (!stop) {
    const Epoch newest = store.current();
    const Epoch oldest = newest + 1 - std::min<Epoch>(newest, store.ring().capacity());
    const auto pinned = Pinned::exactly(store, record, clock, oldest, preempt);
    if (!pinned) continue;
    preempt(Moment::kRead);
    if (pinned->epoch() != oldest || !whole(*pinned)) ++outcome.torn;
    ++outcome.read;
  }
}

void publish_one(Store& store) {
  Values& staged = store.stage();
  staged.words.fill(store.next_epoch());
  store.publish();
}

// F-10
// proves: MURK-SAFE-2, MURK-OV-3
// proves part: MURK-SAFE-15 (the latest of a ring of 2 with yields at each step; not sleeps)
// proves part: MURK-SAFE-1 (select, pin and second look under load; not the scan of all slots for certain)
TEST(PinStress, EightReadersOnRingOfTwoFindWholeSnapshots) {
  constexpr std::size_t kReaders = 8;
  Store store(2, kReaders);
  const CoarseClock clock;
  publish_one(store);
  std::atomic<bool> stop{false};
  Outcome outcome;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kReaders; ++i) {
    threads.emplace_back([&, i] { read_latest(store, store.workers()[i], clock, stop, outcome); });
  }
  for (int i = 0; i < 20'000 || outcome.read < 2'000; ++i) {
    publish_one(store);
    if (i % 16 == 0) std::this_thread::yield();
  }
  stop = true;
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(outcome.torn, 0u);
  EXPECT_EQ(outcome.missing, 0u);
  store.reclaim();
  EXPECT_EQ(store.live(), 2u);
}

// F-2
// proves: MURK-SAFE-5
// proves part: MURK-SAFE-15 (the oldest of a ring of 2 with yields at each step; not sleeps)
TEST(PinStress, TheOldestTickIsThatTickOrNothing) {
  constexpr std::size_t kReaders = 4;
  Store store(2, kReaders);
  const CoarseClock clock;
  publish_one(store);
  std::atomic<bool> stop{false};
  Outcome outcome;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kReaders; ++i) {
    threads.emplace_back([&, i] { read_oldest(store, store.workers()[i], clock, stop, outcome); });
  }
  for (int i = 0; i < 20'000 || outcome.read < 200; ++i) {
    publish_one(store);
    if (i % 8 == 0) std::this_thread::yield();
    ASSERT_LE(store.live(), 2 + kReaders);
  }
  stop = true;
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(outcome.torn, 0u);
}

}  // namespace
}  // namespace hyperscale::realtime

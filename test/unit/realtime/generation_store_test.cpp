#include "realtime/snapshot/generation_store.h"

#include "realtime/snapshot/pinned_generation.h"
#include "realtime/snapshot/segment.h"
#include "recording_sync.h"

#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::realtime {
namespace {

struct Payload {
  Epoch value = 0;
  int resets = 0;
  void reset() {
    value = 0;
    ++resets;
  }
};
using Store = GenerationStore<Payload>;
using Pinned = PinnedGeneration<Payload>;

Epoch publish(Store& store) {
  store.stage().value = store.next_epoch();
  return store.publish();
}

void publish_until(Store& store, Epoch epoch) {
  while (store.current() < epoch) publish(store);
}

// proves: MURK-RING-2, MURK-RING-3, MURK-OV-2
// proves part: MURK-SAFE-3 (a slot is one word; not for a worker that replaces another)
TEST(SnapshotRing, SlotIsEpochModuloCapacityAndPushEvicts) {
  SnapshotRing<> ring(3);
  EXPECT_EQ(ring.push({1, 10}), std::nullopt);
  EXPECT_EQ(ring.push({2, 11}), std::nullopt);
  EXPECT_EQ(ring.push({3, 12}), std::nullopt);
  EXPECT_EQ(ring.in_slot_of(5), (RingEntry{2, 11})) << "5 mod 3 is 2";
  EXPECT_EQ(ring.push({4, 13}), (RingEntry{1, 10}));
  EXPECT_FALSE(ring.holds({1, 10}));
  EXPECT_TRUE(ring.holds({4, 13}));
  EXPECT_FALSE(ring.holds({1, 13})) << "the same record under another epoch is another word";
  constexpr Epoch kFar = Epoch{1} << 40;
  ring.push({kFar, 14});
  EXPECT_EQ(ring.in_slot_of(kFar), (RingEntry{kFar, 14})) << "for years";
}

// proves: MURK-OV-2
TEST(SnapshotRing, EpochThreeOfThreeIsInTheFirstSlot) {
  SnapshotRing<RecordingSync> ring(3);
  std::vector<const char*> slots;  // of epochs 3 to 11
  for (Epoch epoch = 3; epoch <= 11; ++epoch) {
    RecordingSync::take();
    ring.push({epoch, 1});
    slots.push_back(static_cast<const char*>(RecordingSync::take().back().where));
  }
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::size_t bytes = i % 3 * sizeof(RecordingSync::atomic<std::uint64_t>);
    EXPECT_EQ(slots[i] - slots[0], static_cast<std::ptrdiff_t>(bytes)) << "epoch " << i + 3;
  }
}

// proves: MURK-RING-3, MURK-RING-2, MURK-OV-2
TEST(SnapshotRing, APushIntoAFullRingReturnsTheOldest) {
  constexpr Epoch kCapacity = 3;
  SnapshotRing<> ring(kCapacity);
  const auto entry = [](Epoch epoch) { return RingEntry{epoch, static_cast<std::uint32_t>(100 - epoch)}; };
  for (Epoch epoch = 1; epoch <= 20; ++epoch) {
    const std::optional<RingEntry> evicted = ring.push(entry(epoch));
    EXPECT_EQ(evicted, epoch > kCapacity ? std::optional(entry(epoch - kCapacity)) : std::nullopt) << epoch;
    if (evicted) EXPECT_FALSE(ring.holds(*evicted));
    EXPECT_EQ(ring.in_slot_of(epoch), entry(epoch));
    for (Epoch newer = epoch; newer > 0 && newer + kCapacity > epoch; --newer) EXPECT_TRUE(ring.holds(entry(newer)));
  }
}

// proves: MURK-SAFE-4, MURK-OV-5, MURK-EPOCH-1
// proves part: MURK-SAFE-3 (a record has its tag; not for a worker that replaces another)
TEST(GenerationStore, EpochStartsAtOneAndCountsPublications) {
  Store store(4, 1);
  EXPECT_EQ(store.next_epoch(), 1u);
  for (Epoch epoch = 1; epoch <= 9; ++epoch) {
    EXPECT_EQ(publish(store), epoch);
    EXPECT_EQ(store.current(), epoch);
    const auto entry = store.ring().in_slot_of(epoch);
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->epoch, epoch);
    EXPECT_EQ(store.tag(entry->record), epoch);
  }
}

// proves: MURK-SAFE-4
TEST(GenerationStore, AReaderPinsTheEpochOfWhatItReadsNotTheCounter) {
  Store store(4, 1);
  const CoarseClock clock;
  publish_until(store, 6);
  const auto pinned = Pinned::exactly(store, store.workers()[0], clock, 4);
  ASSERT_TRUE(pinned);
  EXPECT_EQ(store.workers()[0].pinned_epoch(), 4u);
  EXPECT_EQ(pinned->payload().value, 4u);
}

// proves: MURK-PUB-3, MURK-OV-5
TEST(GenerationStore, AnAbandonedStageLeavesEverythingAsItWas) {
  Store store(2, 1);
  publish_until(store, 3);
  const auto before = store.ring().in_slot_of(3);
  store.stage().value = 99;
  store.abandon();
  EXPECT_EQ(store.current(), 3u);
  EXPECT_EQ(store.ring().in_slot_of(3), before);
  EXPECT_EQ(store.live(), 2u);
  EXPECT_EQ(publish(store), 4u);
}

// proves: MURK-SAFE-2, MURK-SAFE-4, MURK-EPOCH-2, MURK-EPOCH-3
// proves part: MURK-SAFE-3 (tag and slot are atomic words; not for a worker that replaces another)
// proves part: MURK-PUB-1 (the order of a publication; not that what is staged is final before the push)
// proves part: MURK-PIN-6 (a publication writes no pin)
TEST(GenerationStore, PublishPushesThenAdvancesThenScansPins) {
  GenerationStore<Payload, RecordingSync> store(2, 3);
  for (int i = 0; i < 2; ++i) {
    store.stage();
    store.publish();
  }
  store.stage();
  RecordingSync::take();
  store.publish();
  constexpr auto kAcquire = std::memory_order_acquire, kRelease = std::memory_order_release,
                 kSequential = std::memory_order_seq_cst;
  EXPECT_EQ(RecordingSync::take(), (AccessLog{{'l', kAcquire},
                                              {'s', kRelease},     // the epoch of the record
                                              {'x', kSequential},  // the push, which tells what is evicted
                                              {'a', kRelease},     // the epoch of the world
                                              {'l', kSequential},  // the pins of three readers
                                              {'l', kSequential},
                                              {'l', kSequential},
                                              {'s', kRelease}}));  // nobody reads it: its record is free
  EXPECT_TRUE(store.pending().empty());
}

// proves: MURK-TEST-6, MURK-RING-2, MURK-SAFE-5, MURK-RECL-3, MURK-PUB-2
TEST(GenerationStore, EvictionIsNotBlockedByAPinButReuseIs) {
  Store store(2, 1);
  const CoarseClock clock;
  publish_until(store, 2);
  {
    const auto pinned = Pinned::exactly(store, store.workers()[0], clock, 1);
    ASSERT_TRUE(pinned);
    publish_until(store, 20);
    EXPECT_TRUE(pinned->evicted());
    EXPECT_EQ(pinned->payload().value, 1u) << "not reused while it is held";
    EXPECT_FALSE(Pinned::exactly(store, store.workers()[0], clock, 1)) << "not findable";
  }
  EXPECT_EQ(store.pending().size(), 1u);
  publish(store);
  EXPECT_TRUE(store.pending().empty()) << "reclaimed at the next publication";
}

// proves: MURK-TEST-5, MURK-SAFE-5
TEST(GenerationStore, PinHoldsBackOnlyItsOwnGeneration) {
  Store store(4, 2);  // when 10 is pinned, 7 to 9 are still to be evicted
  const CoarseClock clock;
  publish_until(store, 10);
  const auto pinned = Pinned::latest(store, store.workers()[0], clock);
  ASSERT_TRUE(pinned);
  ASSERT_EQ(pinned->epoch(), 10u);
  publish_until(store, 30);
  ASSERT_EQ(store.pending().size(), 1u) << "generations below and above the pin are free";
  EXPECT_EQ(store.pending().front().epoch, 10u);
}

// proves: MURK-RECL-3, MURK-OV-5
TEST(Segment, ResetMovesAPointerAndTouchesNoMemory) {
  Segment segment(8);
  const std::span<double> first = segment.allocate(5);
  first[4] = 1.5;
  EXPECT_EQ(segment.used(), 5u);
  segment.reset();
  EXPECT_EQ(segment.used(), 0u);
  const std::span<double> again = segment.allocate(8);
  EXPECT_EQ(again.data(), first.data());
  EXPECT_EQ(again[4], 1.5);
}

// proves: MURK-SAFE-14
// proves part: MURK-WRK-4 (unpinned on every way out, by a guard; not one call site in the worker loop)
TEST(PinnedGeneration, UnpinsOnEveryWayOut) {
  Store store(2, 1);
  const CoarseClock clock;
  auto& record = store.workers()[0];
  EXPECT_FALSE(Pinned::latest(store, record, clock)) << "nothing is published";
  EXPECT_FALSE(record.is_pinned());
  publish(store);
  {
    const auto pinned = Pinned::latest(store, record, clock);
    EXPECT_TRUE(record.is_pinned());
  }
  EXPECT_FALSE(record.is_pinned());
  EXPECT_THROW(
      {
        const auto pinned = Pinned::latest(store, record, clock);
        throw std::runtime_error("a region failed");
      },
      std::runtime_error);
  EXPECT_FALSE(record.is_pinned());
  auto first = Pinned::latest(store, record, clock);
  const Pinned moved = std::move(*first);
  first.reset();
  EXPECT_TRUE(record.is_pinned()) << "moving does not unpin";
}

// F-1
// A reader that is overtaken between selecting and pinning selects again; it never reads what was recycled.
// proves: MURK-SAFE-4
// proves part: MURK-SAFE-1 (the second look and retries; not their bound and the scan of all slots after it)
TEST(PinnedGeneration, OvertakenReaderSelectsAgain) {
  Store store(2, 1);
  const CoarseClock clock;
  auto& record = store.workers()[0];
  publish_until(store, 2);
  int overtaken = 0;
  const auto overtake = [&](Moment moment) {
    if (moment == Moment::kSelected && overtaken++ < 3) publish_until(store, store.current() + 5);
  };
  std::uint64_t retries = 0;
  const auto pinned = Pinned::latest(store, record, clock, overtake, &retries);
  ASSERT_TRUE(pinned);
  EXPECT_EQ(retries, 3u);
  EXPECT_EQ(pinned->epoch(), 17u);
  EXPECT_EQ(record.pinned_epoch(), 17u);
  EXPECT_EQ(pinned->payload().value, 17u);
}

// proves: MURK-SAFE-14
// proves part: MURK-SAFE-1 (the second look at an exact tick)
TEST(PinnedGeneration, ExactTickEvictedDuringSelectIsNotFound) {
  Store store(2, 1);
  const CoarseClock clock;
  publish_until(store, 2);
  const auto overtake = [&](Moment moment) {
    if (moment == Moment::kSelected) publish(store);
  };
  EXPECT_FALSE(Pinned::exactly(store, store.workers()[0], clock, 1, overtake));
  EXPECT_FALSE(store.workers()[0].is_pinned());
}

// A weaker load could be executed before the pin is visible to the engine, even though the pin is stored first.
// proves: MURK-SAFE-2
TEST(PinnedGeneration, ThePinIsOrderedBeforeTheSecondLook) {
  GenerationStore<Payload, RecordingSync> store(2, 1);
  const CoarseClock clock;
  store.stage();
  store.publish();
  RecordingSync::take();
  const auto pinned = PinnedGeneration<Payload, RecordingSync>::latest(store, store.workers()[0], clock);
  ASSERT_TRUE(pinned);
  const AccessLog log = RecordingSync::take();
  ASSERT_GE(log.size(), 2u);
  EXPECT_EQ(log[log.size() - 2], (AtomicAccess{'x', std::memory_order_seq_cst})) << "the pin";
  EXPECT_EQ(log.back(), (AtomicAccess{'l', std::memory_order_seq_cst})) << "the slot";
}

// proves: MURK-OV-5
// proves part: MURK-PIN-6 (a reader writes no other's pin)
// proves part: MURK-OV-4 (select, pin, read and unpin; not the way of a request through the pool)
TEST(PinnedGeneration, AReaderWritesNothingButItsOwnRecord) {
  GenerationStore<Payload, RecordingSync> store(2, 2);
  const CoarseClock clock;
  store.stage().value = 1;
  store.publish();
  const auto& own = store.workers()[1];
  RecordingSync::take();
  {
    const auto pinned = PinnedGeneration<Payload, RecordingSync>::latest(store, store.workers()[1], clock);
    ASSERT_TRUE(pinned);
    EXPECT_EQ(pinned->payload().value, 1u);
    EXPECT_FALSE(pinned->evicted());
  }
  int writes = 0;
  for (const AtomicAccess& access : RecordingSync::take()) {
    if (!access.is_write()) continue;
    ++writes;
    const auto* at = static_cast<const char*>(access.where);
    const auto* record = reinterpret_cast<const char*>(&own);
    EXPECT_TRUE(at >= record && at < record + sizeof(own)) << "a word that others write too";
  }
  EXPECT_EQ(writes, 5) << "start, sequence and pin; unpin and its time";
  static_assert(sizeof(Pinned) <= 5 * sizeof(void*), "pointers and an entry: no counted reference");
}

// Readers that pin and unpin at random while generations are published: what is held stays, what is not goes.
// proves: MURK-TEST-10, MURK-TEST-11, MURK-SAFE-5, MURK-PUB-2
// proves part: MURK-MEM-1 (K + S, S the readers of evicted generations; not S within the pool: replacements pin too)
RC_GTEST_PROP(GenerationStoreProperty, HeldGenerationsStayAndLiveCountIsBounded, ()) {
  const auto capacity = *rc::gen::inRange<std::size_t>(2, 9);
  const auto readers = *rc::gen::inRange<std::size_t>(1, 6);
  const auto steps = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::arbitrary<std::uint32_t>());
  Store store(capacity, readers);
  const CoarseClock clock;
  std::vector<std::optional<Pinned>> held(readers);
  for (const std::uint32_t step : steps) {
    const std::size_t reader = step / 4 % readers;
    if (step % 4 < 2) {
      publish(store);
    } else if (step % 4 == 2) {
      held[reader].reset();
    } else if (!held[reader] && store.current() > 0) {
      const Epoch back = step / 64 % capacity;
      const Epoch wanted = store.current() > back ? store.current() - back : 1;
      auto pinned = Pinned::exactly(store, store.workers()[reader], clock, wanted);
      RC_ASSERT(pinned.has_value());
      held[reader].emplace(std::move(*pinned));
    }
    std::set<Epoch> evicted_and_held;
    for (const auto& pinned : held) {
      if (!pinned) continue;
      RC_ASSERT(pinned->payload().value == pinned->epoch());
      if (pinned->evicted()) evicted_and_held.insert(pinned->epoch());
    }
    if (step % 4 < 2) {
      RC_ASSERT(store.pending().size() == evicted_and_held.size());
      RC_ASSERT(store.live() <= capacity + evicted_and_held.size());
    }
    RC_ASSERT(store.live() <= capacity + readers);
  }
}

}  // namespace
}  // namespace hyperscale::realtime

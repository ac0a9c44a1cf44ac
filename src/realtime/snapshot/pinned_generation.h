// PinnedGeneration: prevents reuse of a generation while this object lives. The only way to read one.
//
//   auto pinned = PinnedGeneration<...>::latest(store, my_record, clock);
//   if (pinned) use(pinned->payload());
//
// Protocol: select an entry of the ring, pin its own epoch, check the slot again. If it still holds the same word, the
// eviction comes later in the single order of all sequentially consistent operations, and the reclaimer's scan that
// follows it sees the pin. Otherwise unpin and select again. The destructor unpins on every path, exceptions included.
// Thread rule: on the thread that owns the record; one at a time per record. Failure: nullopt if nothing was published,
// if the wanted epoch is not in the ring, or if the engine was faster kSelectRounds times in a row. Rounds after the
// first few search all slots, newest first.
#pragma once

#include "realtime/snapshot/coarse_clock.h"
#include "realtime/snapshot/generation_store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace hyperscale::realtime {

// The points of an observation at which a test may block a reader.
enum class Moment : std::uint8_t { kSelected, kPinned, kValidated, kRegion, kRead, kUnpinning };

struct NoPause {
  void operator()(Moment /*moment*/) const {}
};

template <typename Payload, typename Sync = concurrent::StdSync, typename Clock = CoarseClock>
class PinnedGeneration {
 public:
  using Store = GenerationStore<Payload, Sync>;
  using Worker = typename Store::Worker;
  static constexpr int kSelectRounds = 10'000;

  template <typename Pause = NoPause>
  static std::optional<PinnedGeneration> latest(const Store& store, Worker& worker, const Clock& clock,
                                                const Pause& pause = {}, std::uint64_t* retries = nullptr) {
    for (int round = 0; round < kSelectRounds; ++round) {
      const Epoch newest = store.current();
      if (newest == kNothingPublished) return std::nullopt;
      const std::size_t depth = round < kPlainRounds ? 1 : store.ring().capacity();
      for (std::size_t back = 0; back < depth && back < newest; ++back) {
        if (auto pinned = try_pin(store, worker, clock, newest - back, pause)) return pinned;
        if (retries != nullptr) ++*retries;
      }
    }
    return std::nullopt;
  }

  template <typename Pause = NoPause>
  static std::optional<PinnedGeneration> exactly(const Store& store, Worker& worker, const Clock& clock, Epoch epoch,
                                                 const Pause& pause = {}) {
    const std::optional<RingEntry> entry = store.ring().in_slot_of(epoch);
    if (!entry || entry->epoch != epoch) return std::nullopt;
    return pin_entry(store, worker, clock, *entry, pause);
  }

  PinnedGeneration(PinnedGeneration&& other) noexcept
      : store_(other.store_),
        worker_(std::exchange(other.worker_, nullptr)),
        clock_(other.clock_),
        entry_(other.entry_) {}
  PinnedGeneration& operator=(PinnedGeneration&&) = delete;
  PinnedGeneration(const PinnedGeneration&) = delete;
  PinnedGeneration& operator=(const PinnedGeneration&) = delete;
  ~PinnedGeneration() {
    if (worker_ != nullptr) worker_->unpin(clock_->now_ns());
  }

  const Payload& payload() const { return store_->payload(entry_); }
  Epoch epoch() const { return entry_.epoch; }
  RingEntry entry() const { return entry_; }
  // Policy, not safety: an evicted generation stays intact while it is pinned, but its values would be too old.
  bool evicted() const { return !store_->ring().holds(entry_); }

 private:
  static constexpr int kPlainRounds = 8;

  PinnedGeneration(const Store& store, Worker& worker, const Clock& clock, RingEntry entry)
      : store_(&store), worker_(&worker), clock_(&clock), entry_(entry) {}

  template <typename Pause>
  static std::optional<PinnedGeneration> try_pin(const Store& store, Worker& worker, const Clock& clock, Epoch wanted,
                                                 const Pause& pause) {
    const std::optional<RingEntry> entry = store.ring().in_slot_of(wanted);
    if (!entry) return std::nullopt;
    return pin_entry(store, worker, clock, *entry, pause);
  }

  template <typename Pause>
  static std::optional<PinnedGeneration> pin_entry(const Store& store, Worker& worker, const Clock& clock,
                                                   RingEntry entry, const Pause& pause) {
    pause(Moment::kSelected);
    worker.pin(entry.epoch, clock.now_ns());
    PinnedGeneration pinned(store, worker, clock, entry);
    pause(Moment::kPinned);
    if (pinned.evicted()) return std::nullopt;
    pause(Moment::kValidated);
    return pinned;
  }

  const Store* store_;
  Worker* worker_;
  const Clock* clock_;
  RingEntry entry_;
};

}  // namespace hyperscale::realtime

// SnapshotRing: the newest K generations, found by epoch. Slot = epoch mod K; a slot is one atomic word.
//
// Thread rule: push() from the engine only; the rest from any thread. A push into an occupied slot evicts its entry,
// even if it is pinned: an evicted entry is no longer found, its memory is reused by the reclaimer. Invariant: a word
// holds a record of the generation pool and its epoch, so one load returns both and an old word never equals a newer
// one. REQUIRES: fewer than 256 records.
#pragma once

#include "base/check.h"
#include "realtime/snapshot/epoch.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hyperscale::realtime {

inline constexpr std::size_t kRecordsMax = 255;

struct RingEntry {
  Epoch epoch = kNothingPublished;
  std::uint32_t record = 0;

  bool operator==(const RingEntry&) const = default;
};

template <typename Sync = concurrent::StdSync>
class SnapshotRing {
 public:
  explicit SnapshotRing(std::size_t capacity) : slots_(capacity) {
    CHECK(capacity > 0, "a ring without slots");
    for (auto& slot : slots_) slot.store(kEmpty, std::memory_order_relaxed);
  }

  // Returns the evicted entry, if the slot was occupied.
  std::optional<RingEntry> push(RingEntry entry) {
    return unpack(slot_of(entry.epoch).exchange(pack(entry), std::memory_order_seq_cst));
  }

  // The entry in the slot of this epoch: that generation, an older one or a newer one.
  std::optional<RingEntry> in_slot_of(Epoch epoch) const {
    return unpack(slots_[epoch % slots_.size()].load(std::memory_order_seq_cst));
  }
  bool holds(RingEntry entry) const {
    return slots_[entry.epoch % slots_.size()].load(std::memory_order_seq_cst) == pack(entry);
  }

  std::size_t capacity() const { return slots_.size(); }

 private:
  using Word = std::uint64_t;
  static constexpr Word kEmpty = 0;  // no generation has epoch 0
  static constexpr int kRecordBits = 8;

  static Word pack(RingEntry entry) { return entry.epoch << kRecordBits | entry.record; }
  static std::optional<RingEntry> unpack(Word word) {
    if (word == kEmpty) return std::nullopt;
    return RingEntry{word >> kRecordBits, static_cast<std::uint32_t>(word & kRecordsMax)};
  }
  auto& slot_of(Epoch epoch) { return slots_[epoch % slots_.size()]; }

  std::vector<typename Sync::template atomic<Word>> slots_;
};

}  // namespace hyperscale::realtime

// TimingWheel: many deadlines behind one ticker, in two rings: a fine one for the current turn, a coarse one for the
// turns after it (AD-30). Insert, remove and moving earlier take constant time.
//
//   auto handle = wheel.insert(key, now + 7s);     // nothing when the wheel is full
//   for (const auto& due : wheel.advance(now)) ...
//
// - An entry never fires before its expiration, and fires within one fine tick after it if advance() is called then.
// - A deadline beyond the coarse ring stays in its bucket for as many rounds as it takes; it is never shortened.
// - An expiration can be moved earlier only.
// - Entries come out ordered by tick, then expiration, then key.
// Thread rule: one owner; `now` never goes backwards. Stale handles are ignored.
#pragma once

#include "base/check.h"
#include "base/time.h"
#include "membership/detection/detection_config.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace hyperscale::membership {

template <typename Key>
class TimingWheel {
 public:
  struct Handle {
    std::uint32_t slot = 0;
    std::uint32_t generation = 0;  // zero: no entry
    bool operator==(const Handle&) const = default;
  };
  struct Due {
    Key key;
    MonoTime expiration;
    bool operator==(const Due&) const = default;
  };

  // REQUIRES: fine_tick > 0; 2 to 64 buckets in each ring.
  TimingWheel(const WheelConfig& config, MonoTime start, bool clamp_long_deadlines = false)
      : config_(config),
        start_(start),
        fine_buckets_(static_cast<Tick>(config.fine_buckets)),
        coarse_buckets_(static_cast<Tick>(config.coarse_buckets)),
        clamp_long_deadlines_(clamp_long_deadlines) {
    CHECK(config.fine_tick > 0ns);
    CHECK(config.fine_buckets >= 2 && config.fine_buckets <= kBucketsMax);
    CHECK(config.coarse_buckets >= 2 && config.coarse_buckets <= kBucketsMax);
    heads_.fill(kNone);
  }

  // Nothing when max_entries are in it. An expiration that has passed fires with the next tick.
  std::optional<Handle> insert(const Key& key, MonoTime expiration) {
    if (size_ == config_.max_entries) return std::nullopt;
    const std::uint32_t index = take_slot();
    Slot& slot = slots_[index];
    slot.key = key;
    slot.expiration = expiration;
    slot.tick = tick_of(expiration);
    link(index);
    ++size_;
    return Handle{index, slot.generation};
  }

  bool remove(Handle handle) {
    if (!holds(handle)) return false;
    release(handle.slot);
    return true;
  }

  // False, and nothing changes, unless `expiration` is earlier than the entry's.
  bool move_earlier(Handle handle, MonoTime expiration) {
    if (!holds(handle) || expiration >= slots_[handle.slot].expiration) return false;
    unlink(handle.slot);
    slots_[handle.slot].expiration = expiration;
    slots_[handle.slot].tick = tick_of(expiration);
    link(handle.slot);
    return true;
  }

  std::optional<MonoTime> expiration(Handle handle) const {
    if (!holds(handle)) return std::nullopt;
    return slots_[handle.slot].expiration;
  }

  std::vector<Due> advance(MonoTime now) {
    std::vector<Due> due;
    const Tick target = (now - start_) / config_.fine_tick;
    while (size_ > 0) {
      const Tick next = next_tick();
      if (next > target) break;
      turn_to(next, due);
    }
    current_ = std::max(current_, target);
    return due;
  }

  // When advance() has something to do next: an entry fires, or a coarse bucket is redistributed.
  MonoTime next_wake() const { return size_ == 0 ? MonoTime::max() : start_ + config_.fine_tick * next_tick(); }

  // Removes every entry whose key does not satisfy `keep`; how many.
  template <typename Keep>
  std::size_t retain(const Keep& keep) {
    std::size_t removed = 0;
    for (std::uint32_t index = 0; index < slots_.size(); ++index) {
      if (slots_[index].bucket == kNone || keep(slots_[index].key)) continue;
      release(index);
      ++removed;
    }
    return removed;
  }

  void clear() {
    retain([](const Key&) { return false; });
  }

  std::size_t size() const { return size_; }
  std::size_t max_entries() const { return config_.max_entries; }

 private:
  using Tick = std::int64_t;
  static constexpr std::size_t kBucketsMax = 64;
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::uint32_t kCoarse = kBucketsMax;  // buckets of the coarse ring come after those of the fine one

  struct Slot {
    Key key{};
    MonoTime expiration;
    Tick tick = 0;  // the first one at which the expiration has passed
    std::uint32_t previous = kNone;
    std::uint32_t next = kNone;
    std::uint32_t bucket = kNone;  // kNone: the slot is free
    std::uint32_t generation = 0;
  };

  bool holds(Handle handle) const {
    return handle.slot < slots_.size() && slots_[handle.slot].bucket != kNone &&
           slots_[handle.slot].generation == handle.generation;
  }

  // Rounded up, so that nothing fires early; the current tick is over, so the next one is the earliest.
  Tick tick_of(MonoTime expiration) const {
    const Duration ahead = expiration - start_;
    const Tick tick = ahead <= 0ns ? 0 : ahead / config_.fine_tick + (ahead % config_.fine_tick != 0ns ? 1 : 0);
    const Tick horizon = current_ + fine_buckets_ * (coarse_buckets_ - 1);
    return std::max(clamp_long_deadlines_ ? std::min(tick, horizon) : tick, current_ + 1);
  }

  // The current turn is in the fine ring, everything later in the coarse one, however many rounds away.
  std::uint32_t bucket_of(Tick tick) const {
    const Tick turn = tick / fine_buckets_;
    if (turn == current_ / fine_buckets_) return static_cast<std::uint32_t>(tick % fine_buckets_);
    return kCoarse + static_cast<std::uint32_t>(turn % coarse_buckets_);
  }

  Tick next_tick() const {
    const Tick turn = current_ / fine_buckets_;
    Tick next = INT64_MAX;
    if (const auto bucket = first_from(fine_occupied_, current_ % fine_buckets_ + 1)) {
      next = turn * fine_buckets_ + *bucket;
    }
    if (coarse_occupied_ != 0) {
      const Tick start = (turn + 1) % coarse_buckets_;
      const auto ahead = first_from(coarse_occupied_, start);
      const Tick turns = ahead ? *ahead - start : *first_from(coarse_occupied_, 0) + coarse_buckets_ - start;
      next = std::min(next, (turn + 1 + turns) * fine_buckets_);
    }
    return next;
  }

  static std::optional<Tick> first_from(std::uint64_t occupied, Tick bucket) {
    if (bucket >= static_cast<Tick>(kBucketsMax) || occupied >> bucket == 0) return std::nullopt;
    return bucket + std::countr_zero(occupied >> bucket);
  }

  void turn_to(Tick tick, std::vector<Due>& due) {
    current_ = tick;
    if (tick % fine_buckets_ == 0)
      deal_out(kCoarse + static_cast<std::uint32_t>(tick / fine_buckets_ % coarse_buckets_));
    const auto first = static_cast<std::ptrdiff_t>(due.size());
    for (std::uint32_t index = heads_[static_cast<std::size_t>(tick % fine_buckets_)]; index != kNone;) {
      const std::uint32_t next = slots_[index].next;
      due.push_back({slots_[index].key, slots_[index].expiration});
      release(index);
      index = next;
    }
    std::sort(due.begin() + first, due.end(),
              [](const Due& a, const Due& b) { return std::tie(a.expiration, a.key) < std::tie(b.expiration, b.key); });
  }

  // Entries of a later round hash to the same bucket and stay there.
  void deal_out(std::uint32_t bucket) {
    for (std::uint32_t index = heads_[bucket]; index != kNone;) {
      const std::uint32_t next = slots_[index].next;
      if (bucket_of(slots_[index].tick) != bucket) {
        unlink(index);
        link(index);
      }
      index = next;
    }
  }

  void link(std::uint32_t index) {
    Slot& slot = slots_[index];
    slot.bucket = bucket_of(slot.tick);
    slot.previous = kNone;
    slot.next = heads_[slot.bucket];
    if (slot.next != kNone) slots_[slot.next].previous = index;
    heads_[slot.bucket] = index;
    mark(slot.bucket);
  }

  void unlink(std::uint32_t index) {
    Slot& slot = slots_[index];
    if (slot.next != kNone) slots_[slot.next].previous = slot.previous;
    if (slot.previous != kNone) {
      slots_[slot.previous].next = slot.next;
    } else {
      heads_[slot.bucket] = slot.next;
    }
    mark(slot.bucket);
    slot.bucket = kNone;
  }

  void mark(std::uint32_t bucket) {
    std::uint64_t& occupied = bucket < kCoarse ? fine_occupied_ : coarse_occupied_;
    const std::uint64_t bit = std::uint64_t{1} << (bucket % kBucketsMax);
    occupied = heads_[bucket] == kNone ? occupied & ~bit : occupied | bit;
  }

  std::uint32_t take_slot() {
    if (free_.empty()) {
      slots_.emplace_back();
      free_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    if (++slots_[index].generation == 0) slots_[index].generation = 1;
    return index;
  }

  void release(std::uint32_t index) {
    unlink(index);
    free_.push_back(index);
    --size_;
  }

  WheelConfig config_;
  MonoTime start_;
  Tick fine_buckets_;
  Tick coarse_buckets_;
  bool clamp_long_deadlines_;
  Tick current_ = 0;  // every tick up to this one is over
  std::array<std::uint32_t, 2 * kBucketsMax> heads_{};
  std::uint64_t fine_occupied_ = 0;
  std::uint64_t coarse_occupied_ = 0;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::size_t size_ = 0;
};

}  // namespace hyperscale::membership

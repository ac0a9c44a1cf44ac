// MpscRing: a lock-free bounded queue from any number of producer threads to exactly one consumer thread.
//
// Thread rule: try_push() from any thread, try_pop() from the consumer only. Neither ever waits: a full ring refuses
// (the item stays untouched), an empty ring answers nothing. The items of one producer arrive in its order; no item is
// lost or doubled. A producer that is suspended between claiming and filling its slot hides the items behind it until
// it resumes. REQUIRES: a capacity that is a power of two and at least 2.
//
// Each slot has a turn number: slot i may be filled for position p when turn == p, and read when turn == p + 1 (the
// scheme of Vyukov's bounded queue, with a single consumer that needs no atomic position).
#pragma once

#include "base/check.h"
#include "concurrent/atomics_policy.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace hyperscale::concurrent {

template <typename T, typename Sync = StdSync>
class MpscRing {
  static_assert(std::is_nothrow_move_constructible_v<T>, "moving an item must not fail half way");

 public:
  explicit MpscRing(std::size_t capacity) : slots_(capacity) {
    CHECK(capacity >= 2 && std::has_single_bit(capacity), "the capacity {} is not a power of two above 1", capacity);
    for (std::size_t i = 0; i < capacity; ++i) slots_[i].turn.store(i, std::memory_order_relaxed);
  }
  MpscRing(const MpscRing&) = delete;
  MpscRing& operator=(const MpscRing&) = delete;

  bool try_push(T&& item) {
    std::size_t position = tail_.load(std::memory_order_relaxed);
    for (;;) {
      Slot& slot = slots_[position & (slots_.size() - 1)];
      const std::size_t turn = slot.turn.load(Sync::kAcquire);
      const auto ahead = static_cast<std::ptrdiff_t>(turn - position);
      if (ahead < 0) return false;  // the item of one lap ago is still in it
      if (ahead > 0) {
        position = tail_.load(std::memory_order_relaxed);  // another producer was faster
      } else if (tail_.compare_exchange_weak(position, position + 1, std::memory_order_relaxed,
                                             std::memory_order_relaxed)) {
        slot.item.mut().emplace(std::move(item));
        slot.turn.store(position + 1, Sync::kRelease);
        return true;
      }
    }
  }

  std::optional<T> try_pop() {
    Slot& slot = slots_[head_ & (slots_.size() - 1)];
    if (slot.turn.load(Sync::kAcquire) != head_ + 1) return std::nullopt;
    std::optional<T> item = std::exchange(slot.item.mut(), std::nullopt);
    slot.turn.store(head_ + slots_.size(), Sync::kRelease);
    ++head_;
    return item;
  }

  std::size_t capacity() const { return slots_.size(); }

 private:
  struct Slot {
    typename Sync::template atomic<std::size_t> turn{0};
    typename Sync::template var<std::optional<T>> item;
  };

  std::vector<Slot> slots_;
  alignas(kCacheLineBytes) typename Sync::template atomic<std::size_t> tail_{0};  // next position to claim
  alignas(kCacheLineBytes) std::size_t head_ = 0;                                 // consumer only
};

}  // namespace hyperscale::concurrent

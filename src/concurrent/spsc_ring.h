// SpscRing: a lock-free bounded queue from exactly one producer thread to exactly one consumer thread.
//
// Thread rule: try_push() from the producer only, try_pop() from the consumer only; size() from anywhere, a moment's
// view. Neither ever waits: a full ring refuses (the item stays untouched), an empty ring answers nothing. Order is
// kept. Each side keeps a copy of the other side's index and reads the shared one only when the copy says full or
// empty, so in the steady state the two threads do not exchange cache lines for their indices. REQUIRES: a capacity
// that is a power of two.
#pragma once

#include "base/check.h"
#include "concurrent/atomics_policy.h"

#include <bit>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace hyperscale::concurrent {

template <typename T, typename Sync = StdSync>
class SpscRing {
  static_assert(std::is_nothrow_move_constructible_v<T>, "moving an item must not fail half way");

 public:
  explicit SpscRing(std::size_t capacity) : slots_(capacity) {
    CHECK(std::has_single_bit(capacity), "the capacity {} is not a power of two", capacity);
  }
  SpscRing(const SpscRing&) = delete;
  SpscRing& operator=(const SpscRing&) = delete;

  bool try_push(T&& item) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_seen_ == slots_.size()) {
      head_seen_ = head_.load(Sync::kAcquire);
      if (tail - head_seen_ == slots_.size()) return false;
    }
    slots_[tail & (slots_.size() - 1)].mut().emplace(std::move(item));
    tail_.store(tail + 1, Sync::kRelease);
    return true;
  }

  std::optional<T> try_pop() {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_seen_) {
      tail_seen_ = tail_.load(Sync::kAcquire);
      if (head == tail_seen_) return std::nullopt;
    }
    std::optional<T> item = std::exchange(slots_[head & (slots_.size() - 1)].mut(), std::nullopt);
    head_.store(head + 1, Sync::kRelease);
    return item;
  }

  std::size_t capacity() const { return slots_.size(); }
  std::size_t size() const {
    const std::size_t head = head_.load(Sync::kAcquire);  // first, so that it is never ahead of tail
    return tail_.load(Sync::kAcquire) - head;
  }

 private:
  using Index = typename Sync::template atomic<std::size_t>;

  // The indices count up for ever; the low bits choose the slot.
  std::vector<typename Sync::template var<std::optional<T>>> slots_;
  alignas(kCacheLineBytes) Index head_{0};  // next to pop; written by the consumer
  std::size_t tail_seen_ = 0;               // consumer's copy of tail_
  alignas(kCacheLineBytes) Index tail_{0};  // next to fill; written by the producer
  std::size_t head_seen_ = 0;               // producer's copy of head_
};

}  // namespace hyperscale::concurrent

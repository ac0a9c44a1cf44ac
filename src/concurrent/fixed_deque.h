// FixedDeque: a double-ended queue over slots that are allocated once. The storage of BoundedQueue.
//
// Thread rule: none of its own; its user guards it. Invariant: size() <= slots(). A popped slot holds no value any
// more.
#pragma once

#include "base/check.h"

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace hyperscale::concurrent {

template <typename T>
class FixedDeque {
  static_assert(std::is_nothrow_move_constructible_v<T>, "moving an item must not fail half way");

 public:
  explicit FixedDeque(std::size_t slots) : slots_(slots) { CHECK(slots > 0, "a queue needs at least one slot"); }

  std::size_t size() const { return size_; }
  std::size_t slots() const { return slots_.size(); }

  // REQUIRES: size() < slots().
  void push_back(T&& item) {
    CHECK(size_ < slots(), "the deque has {} slots", slots());
    slots_[wrap(head_ + size_)].emplace(std::move(item));
    ++size_;
  }
  // REQUIRES: size() < slots().
  void push_front(T&& item) {
    CHECK(size_ < slots(), "the deque has {} slots", slots());
    head_ = wrap(head_ + slots_.size() - 1);
    slots_[head_].emplace(std::move(item));
    ++size_;
  }
  // REQUIRES: size() > 0.
  T pop_front() {
    CHECK(size_ > 0, "the deque is empty");
    std::optional<T>& slot = slots_[head_];
    T item = std::move(*slot);
    slot.reset();
    head_ = wrap(head_ + 1);
    --size_;
    return item;
  }

 private:
  // REQUIRES: index < 2 * slots(). A subtraction, because slots() is any number and a division is slow.
  std::size_t wrap(std::size_t index) const { return index < slots_.size() ? index : index - slots_.size(); }

  std::vector<std::optional<T>> slots_;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace hyperscale::concurrent

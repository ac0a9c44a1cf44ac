// SlotPool<T>: values in the event queue, addressed by a small number. Slots are reused after removal, so that a long
// run does not grow. Single-threaded.
#pragma once

#include "base/check.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace hyperscale::sim {

template <typename T>
class SlotPool {
 public:
  std::uint32_t put(T value) {
    if (free_.empty()) {
      slots_.push_back(std::move(value));
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    slots_[slot] = std::move(value);
    return slot;
  }
  T take(std::uint32_t slot) {
    CHECK(slot < slots_.size(), "slot {} of {}", slot, slots_.size());
    free_.push_back(slot);
    return std::exchange(slots_[slot], T());
  }

 private:
  std::vector<T> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace hyperscale::sim

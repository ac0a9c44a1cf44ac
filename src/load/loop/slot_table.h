// SlotTable: objects in numbered slots that are used again; a generation tells an old number from a new one.
//
// Single-threaded. References stay valid until their slot is released: storage grows in blocks that never move.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace hyperscale::load {

template <typename T>
class SlotTable {
 public:
  struct Entry {
    T value{};
    std::uint32_t generation = 0;  // odd while in use
  };

  std::uint32_t take() {
    std::uint32_t slot = 0;
    if (free_.empty()) {
      slot = static_cast<std::uint32_t>(entries_.size());
      entries_.emplace_back();
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    ++entries_[slot].generation;
    ++used_;
    return slot;
  }

  void release(std::uint32_t slot) {
    ++entries_[slot].generation;
    entries_[slot].value = T{};
    free_.push_back(slot);
    --used_;
  }

  std::uint32_t generation(std::uint32_t slot) const { return entries_[slot].generation; }
  // Null for an id whose slot has been released.
  T* find(std::uint32_t slot, std::uint32_t generation) {
    if (slot >= entries_.size() || entries_[slot].generation != generation || generation % 2 == 0) return nullptr;
    return &entries_[slot].value;
  }
  const T* find(std::uint32_t slot, std::uint32_t generation) const {
    return const_cast<SlotTable*>(this)->find(slot, generation);
  }
  // The generation that `slot` has now if its low bits are `bits`, otherwise one that is dead.
  template <typename Id>
  Id recent(std::uint32_t slot, std::uint32_t bits, std::uint32_t mask) const {
    const std::uint32_t now = slot < entries_.size() ? entries_[slot].generation : 0;
    return (now & mask) == bits ? Id{slot, now} : Id{slot, 0};
  }
  std::size_t used() const { return used_; }

  template <typename Visit>
  void for_each(Visit&& visit) {
    for (auto& entry : entries_)
      if (entry.generation % 2 == 1) visit(entry.value);
  }

 private:
  std::deque<Entry> entries_;
  std::vector<std::uint32_t> free_;
  std::size_t used_ = 0;
};

}  // namespace hyperscale::load

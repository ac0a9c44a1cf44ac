// SlotTable: objects in numbered slots that are reused; a generation distinguishes an old id of a slot from a new one.
//
// Single-threaded. References stay valid until their slot is released: storage grows in blocks that never move.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
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
      if (size_ % kBlock == 0) blocks_.push_back(std::make_unique<Block>());
      slot = size_++;
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    ++at(slot).generation;
    ++used_;
    return slot;
  }

  void release(std::uint32_t slot) {
    ++at(slot).generation;
    at(slot).value = T{};
    free_.push_back(slot);
    --used_;
  }

  std::uint32_t generation(std::uint32_t slot) const { return at(slot).generation; }
  // Null for an id whose slot has been released.
  T* find(std::uint32_t slot, std::uint32_t generation) {
    if (slot >= size_ || generation % 2 == 0) return nullptr;
    Entry& entry = at(slot);
    return entry.generation == generation ? &entry.value : nullptr;
  }
  const T* find(std::uint32_t slot, std::uint32_t generation) const {
    return const_cast<SlotTable*>(this)->find(slot, generation);
  }
  // The id with the current generation of `slot` if its low bits are `bits`, otherwise a dead id.
  template <typename Id>
  Id recent(std::uint32_t slot, std::uint32_t bits, std::uint32_t mask) const {
    const std::uint32_t now = slot < size_ ? at(slot).generation : 0;
    return (now & mask) == bits ? Id{slot, now} : Id{slot, 0};
  }
  std::size_t used() const { return used_; }

  template <typename Visit>
  void for_each(Visit&& visit) {
    for (std::uint32_t slot = 0; slot < size_; ++slot)
      if (at(slot).generation % 2 == 1) visit(at(slot).value);
  }

 private:
  // A power of two: a slot is found by a shift, where a std::deque divides by the size of an entry.
  static constexpr std::uint32_t kBlock = 32;
  using Block = std::array<Entry, kBlock>;

  Entry& at(std::uint32_t slot) { return (*blocks_[slot / kBlock])[slot % kBlock]; }
  const Entry& at(std::uint32_t slot) const { return (*blocks_[slot / kBlock])[slot % kBlock]; }

  std::vector<std::unique_ptr<Block>> blocks_;
  std::uint32_t size_ = 0;
  std::vector<std::uint32_t> free_;
  std::size_t used_ = 0;
};

}  // namespace hyperscale::load

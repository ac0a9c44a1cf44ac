// HandleTable: maps numeric handles for C code to objects. The handle of a removed object stays invalid.
//
// A handle is a slot in the upper and a generation in the lower 32 bits; generations start at 1, so 0 is never a
// handle. A slot whose generation would wrap is not reused. Thread rule: any thread; find() returns a shared_ptr, so an
// object that another thread destroys meanwhile lives until its users have finished.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hyperscale::realtime {

template <typename T>
class HandleTable {
 public:
  static constexpr std::uint32_t kLastGeneration = ~std::uint32_t{0};

  explicit HandleTable(std::uint32_t first_generation = 1) : first_generation_(first_generation) {}

  std::uint64_t add(std::shared_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      // If one of these lines throws, no free entry refers to a missing slot; remove() never needs memory.
      free_.reserve(slots_.size() + 1);
      slots_.push_back(Slot{nullptr, first_generation_});
      free_.push_back(slots_.size() - 1);
    }
    const std::size_t slot = free_.back();
    free_.pop_back();
    slots_[slot].object = std::move(object);
    return std::uint64_t{slot} << 32 | slots_[slot].generation;
  }

  // nullptr for a handle that is not, or no longer, in the table.
  std::shared_ptr<T> find(std::uint64_t handle) const {
    const std::lock_guard lock(mutex_);
    return is_current(handle) ? slots_[handle >> 32].object : nullptr;
  }

  std::shared_ptr<T> remove(std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    if (!is_current(handle)) return nullptr;
    Slot& slot = slots_[handle >> 32];
    if (slot.generation != kLastGeneration) {
      ++slot.generation;
      free_.push_back(handle >> 32);
    }
    return std::exchange(slot.object, nullptr);
  }

 private:
  struct Slot {
    std::shared_ptr<T> object;
    std::uint32_t generation;
  };

  bool is_current(std::uint64_t handle) const {
    const std::size_t slot = handle >> 32;
    return slot < slots_.size() && slots_[slot].object && slots_[slot].generation == static_cast<std::uint32_t>(handle);
  }

  const std::uint32_t first_generation_;
  mutable std::mutex mutex_;
  std::vector<Slot> slots_;
  std::vector<std::size_t> free_;
};

}  // namespace hyperscale::realtime

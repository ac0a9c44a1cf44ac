// WipingAllocator: overwrites memory before it is freed, also when a container grows. For buffers with secrets or
// cached data; long-lived key material belongs in a Secret (secret.h), which is also locked into memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <string.h>

namespace hyperscale::runtime {

template <typename T>
class WipingAllocator {
 public:
  using value_type = T;

  WipingAllocator() noexcept = default;
  template <typename U>
  WipingAllocator(const WipingAllocator<U>&) noexcept {}  // NOLINT(google-explicit-constructor): allocators convert

  T* allocate(std::size_t count) { return std::allocator<T>().allocate(count); }

  void deallocate(T* memory, std::size_t count) noexcept {
    // explicit_bzero is the one form of memset that the optimiser may not drop.
    ::explicit_bzero(static_cast<void*>(memory), count * sizeof(T));
    std::allocator<T>().deallocate(memory, count);
  }

  template <typename U>
  bool operator==(const WipingAllocator<U>&) const noexcept {
    return true;
  }
};

template <typename T>
using WipingVector = std::vector<T, WipingAllocator<T>>;

// Note: a string short enough for the small-string buffer lives inside the object and is not wiped by the allocator.
using WipingString = std::basic_string<char, std::char_traits<char>, WipingAllocator<char>>;

}  // namespace hyperscale::runtime

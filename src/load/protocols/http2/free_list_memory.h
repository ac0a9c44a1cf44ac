// FreeListMemory: an allocator for the blocks that nghttp2 allocates and frees with every header block, with free lists
// by size.
//
// Shared by the sessions of one executor thread, which it must outlive; not thread-safe. Blocks of up to
// kPooledBytesMax come from slabs and return to the list of their size; larger ones use malloc. Slabs live as long as
// the object, so it holds as much as its sessions ever needed at once. allocate() returns null when malloc fails.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace hyperscale::load {

class FreeListMemory {
 public:
  static constexpr std::size_t kGranuleBytes = 64;
  static constexpr std::size_t kPooledBytesMax = 2048;
  static constexpr std::size_t kSlabBytes = 64 << 10;

  FreeListMemory() = default;
  ~FreeListMemory();
  FreeListMemory(const FreeListMemory&) = delete;
  FreeListMemory& operator=(const FreeListMemory&) = delete;

  void* allocate(std::size_t bytes);
  void release(void* memory);
  void* resize(void* memory, std::size_t bytes);

  std::uint64_t allocations() const { return allocations_; }
  // Calls of malloc: slabs and large blocks.
  std::uint64_t system_allocations() const { return system_allocations_; }

 private:
  struct alignas(16) Block {
    union {
      Block* next;        // while free
      std::size_t bytes;  // while in use: room behind this header
    };
    std::size_t size_class;  // 0: from malloc
  };
  struct alignas(16) Slab {
    Slab* next;
  };
  static constexpr std::size_t kClasses = kPooledBytesMax / kGranuleBytes + 1;

  Block* carve(std::size_t size_class);

  std::array<Block*, kClasses> free_{};
  Slab* slabs_ = nullptr;
  std::size_t slab_used_ = kSlabBytes;
  std::uint64_t allocations_ = 0;
  std::uint64_t system_allocations_ = 0;
};

}  // namespace hyperscale::load

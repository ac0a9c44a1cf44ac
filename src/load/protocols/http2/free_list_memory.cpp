#include "load/protocols/http2/free_list_memory.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace hyperscale::load {

FreeListMemory::~FreeListMemory() {
  while (slabs_ != nullptr) {
    Slab* next = slabs_->next;
    std::free(slabs_);
    slabs_ = next;
  }
}

FreeListMemory::Block* FreeListMemory::carve(std::size_t size_class) {
  const std::size_t needed = sizeof(Block) + size_class * kGranuleBytes;
  if (slab_used_ + needed > kSlabBytes) {
    void* memory = std::malloc(kSlabBytes);
    if (memory == nullptr) return nullptr;
    ++system_allocations_;
    slabs_ = new (memory) Slab{slabs_};
    slab_used_ = sizeof(Slab);
  }
  auto* block = new (reinterpret_cast<std::byte*>(slabs_) + slab_used_) Block;
  slab_used_ += needed;
  block->size_class = size_class;
  return block;
}

void* FreeListMemory::allocate(std::size_t bytes) {
  ++allocations_;
  const std::size_t size_class = bytes == 0 ? 1 : (bytes + kGranuleBytes - 1) / kGranuleBytes;
  Block* block = nullptr;
  if (size_class < kClasses) {
    block = free_[size_class];
    if (block != nullptr) {
      free_[size_class] = block->next;
    } else {
      block = carve(size_class);
    }
    if (block == nullptr) return nullptr;
    block->bytes = size_class * kGranuleBytes;
    return block + 1;
  }
  void* memory = std::malloc(sizeof(Block) + bytes);
  if (memory == nullptr) return nullptr;
  ++system_allocations_;
  block = new (memory) Block;
  block->bytes = bytes;
  block->size_class = 0;
  return block + 1;
}

void FreeListMemory::release(void* memory) {
  if (memory == nullptr) return;
  Block* block = static_cast<Block*>(memory) - 1;
  if (block->size_class == 0) return std::free(block);
  block->next = free_[block->size_class];
  free_[block->size_class] = block;
}

void* FreeListMemory::resize(void* memory, std::size_t bytes) {
  if (memory == nullptr) return allocate(bytes);
  const std::size_t room = (static_cast<Block*>(memory) - 1)->bytes;
  if (bytes <= room) return memory;
  void* fresh = allocate(bytes);
  if (fresh == nullptr) return nullptr;
  std::memcpy(fresh, memory, room);
  release(memory);
  return fresh;
}

}  // namespace hyperscale::load

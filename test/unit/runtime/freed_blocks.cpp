#include "freed_blocks.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace {

std::atomic<bool> watching = false;
std::atomic<int> freed_blocks = 0;
std::atomic<int> marked_blocks = 0;
std::string_view watched_mark;

void* take(std::size_t size) {
  void* const block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void give_back(void* block) noexcept {
  if (block != nullptr && watching.load(std::memory_order_acquire)) {
    const std::string_view bytes(static_cast<const char*>(block), ::malloc_usable_size(block));
    ++freed_blocks;
    if (bytes.find(watched_mark) != std::string_view::npos) ++marked_blocks;
  }
  std::free(block);
}

}  // namespace

// All of a family, or a sanitizer pairs one of its own with one of these.
void* operator new(std::size_t size) {
  return take(size);
}
void* operator new[](std::size_t size) {
  return take(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* block) noexcept {
  give_back(block);
}
void operator delete[](void* block) noexcept {
  give_back(block);
}
void operator delete(void* block, std::size_t) noexcept {
  give_back(block);
}
void operator delete[](void* block, std::size_t) noexcept {
  give_back(block);
}

void operator delete(void* block, const std::nothrow_t&) noexcept {
  give_back(block);
}
void operator delete[](void* block, const std::nothrow_t&) noexcept {
  give_back(block);
}

namespace hyperscale::runtime {

FreedBlocks::FreedBlocks(std::string_view mark) {
  watched_mark = mark;
  freed_blocks = marked_blocks = 0;
  watching.store(true, std::memory_order_release);
}

FreedBlocks::~FreedBlocks() {
  watching = false;
}

std::string_view FreedBlocks::mark() const {
  return watched_mark;
}

int FreedBlocks::blocks() const {
  return freed_blocks;
}

int FreedBlocks::with_mark() const {
  return marked_blocks;
}

}  // namespace hyperscale::runtime

#include "freed_memory_watch.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include <malloc.h>

// ThreadSanitizer's own operators cannot be replaced.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FREED_MEMORY_CANNOT_BE_WATCHED
#endif
#elif defined(__SANITIZE_THREAD__)
#define FREED_MEMORY_CANNOT_BE_WATCHED
#endif

namespace {

std::atomic<bool> watching = false;
std::atomic<int> marked_blocks = 0;

}  // namespace

#ifndef FREED_MEMORY_CANNOT_BE_WATCHED
namespace {

void* take(std::size_t size) noexcept {
  return std::malloc(size == 0 ? 1 : size);
}

void* take_or_throw(std::size_t size) {
  void* const block = take(size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void give_back(void* block) noexcept {
  if (block != nullptr && watching.load(std::memory_order_relaxed)) {
    const std::string_view bytes(static_cast<const char*>(block), ::malloc_usable_size(block));
    if (bytes.find(hyperscale::runtime::kFreedMemoryMark) != std::string_view::npos) ++marked_blocks;
  }
  std::free(block);
}

}  // namespace

// All of a family, or a sanitizer pairs one of its own with one of these. Over-aligned blocks are not watched.
void* operator new(std::size_t size) {
  return take_or_throw(size);
}
void* operator new[](std::size_t size) {
  return take_or_throw(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return take(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return take(size);
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

#endif

namespace hyperscale::runtime {

bool FreedMemoryWatch::possible() {
#ifdef FREED_MEMORY_CANNOT_BE_WATCHED
  return false;
#else
  return true;
#endif
}

FreedMemoryWatch::FreedMemoryWatch() {
  marked_blocks = 0;
  watching = true;
}

FreedMemoryWatch::~FreedMemoryWatch() {
  watching = false;
}

int FreedMemoryWatch::unwiped() const {
  return marked_blocks;
}

}  // namespace hyperscale::runtime

#include "allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

[[maybe_unused]] thread_local std::size_t allocations = 0;
[[maybe_unused]] std::atomic<std::size_t> allocations_of_all = 0;

[[maybe_unused]] void* take(std::size_t size) noexcept {
  ++allocations;
  allocations_of_all.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size == 0 ? 1 : size);
}

[[maybe_unused]] void* take_or_throw(std::size_t size) {
  if (void* block = take(size)) return block;
  throw std::bad_alloc();
}

}  // namespace

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HYPERSCALE_OPERATORS_ARE_TAKEN  // by the sanitizer's library, which cannot be linked with others
#endif
#endif

#ifndef HYPERSCALE_OPERATORS_ARE_TAKEN

// All of a family, or a sanitizer pairs one of its own with one of these.
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
  std::free(block);
}
void operator delete[](void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}
void operator delete[](void* block, std::size_t) noexcept {
  std::free(block);
}
void operator delete(void* block, const std::nothrow_t&) noexcept {
  std::free(block);
}
void operator delete[](void* block, const std::nothrow_t&) noexcept {
  std::free(block);
}

#endif

namespace hyperscale::test {

bool counts_allocations() {
#ifdef HYPERSCALE_OPERATORS_ARE_TAKEN
  return false;
#else
  return true;
#endif
}

std::size_t allocation_count() {
  return allocations;
}

std::size_t allocation_count_elsewhere() {
  return allocations_of_all.load(std::memory_order_relaxed) - allocations;
}

}  // namespace hyperscale::test

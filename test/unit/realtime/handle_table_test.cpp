#include "realtime/handle_table.h"

#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HYPERSCALE_OPERATORS_ARE_TAKEN  // by the sanitizer's library, which cannot be linked with others
#endif
#endif

namespace {

[[maybe_unused]] thread_local int allocations_left = -1;  // negative: as many as anybody wants

}  // namespace

#ifndef HYPERSCALE_OPERATORS_ARE_TAKEN

void* operator new(std::size_t bytes) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

#endif

namespace hyperscale::realtime {
namespace {

TEST(HandleTable, StaysWholeWhenMemoryRunsOut) {
#ifdef HYPERSCALE_OPERATORS_ARE_TAKEN
  GTEST_SKIP() << "memory does not run out under the thread sanitizer";
#endif
  for (int allocations = 0; allocations < 4; ++allocations) {
    HandleTable<int> table;
    auto first = std::make_shared<int>(1);
    const auto second = std::make_shared<int>(2);
    try {
      allocations_left = allocations;
      (void)table.add(std::move(first));
    } catch (const std::bad_alloc&) {
    }
    allocations_left = -1;
    const std::uint64_t handle = table.add(second);
    EXPECT_EQ(table.find(handle), second);
    EXPECT_LE(handle >> 32, 1U) << "a slot was lost";
    EXPECT_EQ(table.remove(handle), second);
    EXPECT_EQ(table.find(handle), nullptr);
  }
}

TEST(HandleTable, RemovingNeedsNoMemory) {
  HandleTable<int> table;
  const std::uint64_t one = table.add(std::make_shared<int>(1));
  const std::uint64_t two = table.add(std::make_shared<int>(2));
  allocations_left = 0;
  EXPECT_NE(table.remove(one), nullptr);
  EXPECT_NE(table.remove(two), nullptr);
  allocations_left = -1;
}

}  // namespace
}  // namespace hyperscale::realtime

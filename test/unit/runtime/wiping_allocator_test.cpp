// A replaced operator delete shows each block as the allocator gives it back, while looking at it is still sound.
#include "runtime/secret/wiping_allocator.h"

#include "freed_blocks.h"

#include <string_view>

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

// proves part: NODE-SAFE-5 (wiping also on reallocation, mlock, core dumps; not that the optimiser cannot drop it)
TEST(WipingAllocatorTest, WipesFreedAndOutgrownMemory) {
  const FreedBlocks freed("wipe-me-wipe-me!");
  {
    WipingVector<char> bytes(freed.mark().begin(), freed.mark().end());
    bytes.shrink_to_fit();
    bytes.reserve(4 * bytes.capacity());  // growth: the old block goes back
    EXPECT_GE(freed.blocks(), 1);
    WipingString text(100, ' ');
    text.replace(0, freed.mark().size(), freed.mark());
    text.reserve(10'000);
  }
  EXPECT_GE(freed.blocks(), 4);
  EXPECT_EQ(freed.with_mark(), 0);
}

TEST(WipingAllocatorTest, WatchDetectsMemoryOfOrdinaryContainer) {
  const FreedBlocks freed("wipe-me-wipe-me!");
  {
    const std::vector<char> bytes(freed.mark().begin(), freed.mark().end());
    asm volatile("" : : "r"(bytes.data()) : "memory");  // or the optimiser leaves out the whole container
  }
  EXPECT_GE(freed.with_mark(), 1);
}

}  // namespace
}  // namespace hyperscale::runtime

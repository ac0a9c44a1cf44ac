#include "load/protocols/http2/free_list_memory.h"

#include "base/prng.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

TEST(FreeListMemory, ABlockThatWasGivenBackServesTheNextOfItsSize) {
  FreeListMemory memory;
  void* first = memory.allocate(100);
  memory.release(first);
  const std::uint64_t system = memory.system_allocations();
  EXPECT_EQ(memory.allocate(120), first);
  EXPECT_EQ(memory.system_allocations(), system);
}

TEST(FreeListMemory, LargeBlocksComeFromTheSystem) {
  FreeListMemory memory;
  const std::uint64_t system = memory.system_allocations();
  void* large = memory.allocate(FreeListMemory::kPooledBytesMax + 1);
  EXPECT_EQ(memory.system_allocations(), system + 1);
  memory.release(large);
}

TEST(FreeListMemory, ReleaseOfNothingAndOfNoBytesAreAllowed) {
  FreeListMemory memory;
  memory.release(nullptr);
  void* empty = memory.allocate(0);
  EXPECT_NE(empty, nullptr);
  memory.release(empty);
}

TEST(FreeListMemory, BlocksNeverOverlapAndGrowIntact) {
  struct Held {
    std::uint8_t* bytes;
    std::size_t size;
    std::uint8_t mark;
  };
  FreeListMemory memory;
  Prng prng(3);
  std::vector<Held> held;
  for (int step = 0; step < 20'000; ++step) {
    const std::size_t size = prng.below(20) == 0 ? prng.below(10'000) : prng.below(600);
    const std::uint64_t what = prng.below(3);
    if (what == 0 || held.empty()) {
      auto* bytes = static_cast<std::uint8_t*>(memory.allocate(size));
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % 16, 0u);
      held.push_back({bytes, size, static_cast<std::uint8_t>(step)});
      std::memset(bytes, held.back().mark, size);
      continue;
    }
    Held& chosen = held[prng.below(held.size())];
    for (std::size_t i = 0; i < chosen.size; ++i) ASSERT_EQ(chosen.bytes[i], chosen.mark);
    if (what == 1) {
      const std::size_t kept = std::min(size, chosen.size);
      chosen.bytes = static_cast<std::uint8_t*>(memory.resize(chosen.bytes, size));
      for (std::size_t i = 0; i < kept; ++i) ASSERT_EQ(chosen.bytes[i], chosen.mark);
      chosen.size = size;
      std::memset(chosen.bytes, chosen.mark, size);
    } else {
      memory.release(chosen.bytes);
      chosen = held.back();
      held.pop_back();
    }
  }
  for (const Held& one : held) memory.release(one.bytes);
}

}  // namespace
}  // namespace hyperscale::load

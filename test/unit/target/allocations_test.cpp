// Small requests allocate nothing: operator new is replaced in this program, and counts what the server's threads do.
#include "target_client.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

namespace {

thread_local bool is_test_thread = false;
std::atomic<std::uint64_t> server_allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  if (!is_test_thread) server_allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size)) return memory;
  std::abort();
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace hyperscale::target {
namespace {

TEST(Allocations, ASmallRequestNeedsNone) {
  is_test_thread = true;
  const auto server = start_target();
  TargetClient client(*server);
  const auto call_all = [&] {
    for (int i = 0; i < 200; ++i) {
      for (const char* target : {"/", "/status/503", "/size/1KiB", "/status/200,500@10", "/delay/0s"})
        client.get(target);
    }
  };
  call_all();
  const std::uint64_t before = server_allocations;
  EXPECT_GT(before, 0u);
  call_all();
  EXPECT_EQ(server_allocations, before);
  EXPECT_EQ(server->counters().requests, 2000u);
  is_test_thread = false;
}

}  // namespace
}  // namespace hyperscale::target

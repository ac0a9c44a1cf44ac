#include "load/protocols/http2/stream_table.h"

#include "allocation_count.h"
#include "base/prng.h"

#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::load::http2 {
namespace {

TEST(StreamTable, DoesAsAMapDoes) {
  std::vector<int> values(64);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Prng prng(seed);
    StreamTable<int> table;
    std::map<std::uint32_t, int*> model;
    for (int step = 0; step < 3000; ++step) {
      const auto id = static_cast<std::uint32_t>(1 + 2 * prng.below(100));  // homes meet and wrap around
      if (prng.below(2) == 0 && !model.contains(id) && model.size() < 50) {
        int& value = values[prng.below(values.size())];
        table.insert(id, value);
        model[id] = &value;
      } else {
        table.erase(id);
        model.erase(id);
      }
      ASSERT_EQ(table.size(), model.size());
      for (std::uint32_t each = 1; each < 200; each += 2) {
        const auto found = model.find(each);
        ASSERT_EQ(table.find(each), found == model.end() ? nullptr : found->second) << seed << " " << step;
      }
    }
  }
}

TEST(StreamTable, DoesNotAllocateWhenItHasGrown) {
  StreamTable<int> table;
  int value = 0;
  std::uint32_t next = 1;
  for (; next < 20; next += 2) table.insert(next, value);
  const std::size_t before = test::allocation_count();
  for (; next < 100'000; next += 2) {
    table.erase(next - 20);
    table.insert(next, value);
  }
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_EQ(table.size(), 10u);
}

}  // namespace
}  // namespace hyperscale::load::http2

// Small requests allocate nothing: counted is what threads other than the test's do.
#include "allocation_count.h"
#include "target_client.h"

#include <gtest/gtest.h>

namespace hyperscale::target {
namespace {

TEST(Allocations, ASmallRequestNeedsNone) {
  const auto server = start_target();
  TargetClient client(*server);
  const auto call_all = [&] {
    for (int i = 0; i < 200; ++i) {
      for (const char* target : {"/", "/status/503", "/size/1KiB", "/status/200,500@10", "/delay/0s"})
        client.get(target);
    }
  };
  call_all();
  const std::size_t before = test::allocation_count_elsewhere();
  call_all();
  EXPECT_EQ(test::allocation_count_elsewhere(), before);
  EXPECT_EQ(server->counters().requests, 2000u);
}

}  // namespace
}  // namespace hyperscale::target

#include "runtime/channel/channel_registry.h"

#include "runtime/metrics/metrics.h"

#include <gmock/gmock.h>

namespace hyperscale::runtime {
namespace {

using concurrent::BoundedQueue;
using concurrent::Overflow;
using ::testing::HasSubstr;

// proves part: NODE-CH-3 (depth and drops of the queues of a node; not the depth of the log's queue)
// proves: NODE-CH-1
TEST(ChannelRegistryTest, EveryQueueExportsItsDepthAndItsDrops) {
  BoundedQueue<int> dropping(2, Overflow::kDropOldest);
  BoundedQueue<int> rejecting(2, Overflow::kReject);
  ChannelRegistry registry;
  registry.add_queue("telemetry", dropping);
  registry.add_queue("work", rejecting);
  for (int i = 0; i < 5; ++i) {
    dropping.try_push(int{i});
    rejecting.try_push(int{i});
  }
  rejecting.try_pop();
  Metrics metrics;
  metrics.on_scrape([&] { registry.sample(metrics); });
  const std::string text = metrics.expose();
  EXPECT_THAT(text, HasSubstr("queue_depth{queue=\"telemetry\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("queue_depth{queue=\"work\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("queue_dropped_total{queue=\"telemetry\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("queue_dropped_total{queue=\"work\"} 0\n"));
}

TEST(ChannelRegistryTest, SamplingTwiceCountsADropOnce) {
  BoundedQueue<int> queue(1, Overflow::kDropOldest);
  ChannelRegistry registry;
  registry.add_queue("telemetry", queue);
  Metrics metrics;
  queue.try_push(1);
  queue.try_push(2);
  registry.sample(metrics);
  registry.sample(metrics);
  EXPECT_EQ(metrics.value(Counter::kQueueDropped, "telemetry"), 1);
  queue.try_push(3);
  registry.sample(metrics);
  EXPECT_EQ(metrics.value(Counter::kQueueDropped, "telemetry"), 2);
}

TEST(ChannelRegistryTest, TheTableNamesThePolicyOfEachQueue) {
  BoundedQueue<int> queue(64, Overflow::kCoalesce);
  ChannelRegistry registry;
  registry.add_queue("cfg_updates", queue);
  registry.add({"shutdown", "last value", 1, "overwritten", {}, {}});
  EXPECT_EQ(registry.markdown(),
            "| channel | kind | capacity | when full |\n"
            "|---|---|---|---|\n"
            "| `cfg_updates` | queue | 64 | coalesce to newest |\n"
            "| `shutdown` | last value | 1 | overwritten |\n");
}

}  // namespace
}  // namespace hyperscale::runtime

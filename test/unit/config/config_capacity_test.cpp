#include "runtime/config/config_capacity.h"

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

// proves: NODE-TOP-1
TEST(ConfigCapacity, ZeroMeansTheDefaultMultipleOfTheCpus) {
  const NodeCapacity expected{.threads = 8,
                              .workers = 8,
                              .blocking_threads = 8,
                              .feed_fanout = 32,
                              .graph_expand = 16,
                              .search_qps = 32,
                              .index_ingest = 8,
                              .mailbox_ops = 32,
                              .compute = 32};
  EXPECT_EQ(resolve_capacity(NodeConfig(), 8), expected);
}

// proves: NODE-FACET-5
TEST(ConfigCapacity, StatedNumbersAreTakenAsTheyAre) {
  NodeConfig config;
  config.node.threads = 1;
  config.node.workers = 2;
  config.blocking_pool.threads = 1;
  config.facets.feed_fanout = 4;
  config.facets.graph_expand = 5;
  config.facets.search_qps = 6;
  config.facets.index_ingest = 7;
  config.facets.mailbox_ops = 8;
  config.facets.compute = 9;
  const NodeCapacity expected{.threads = 1,
                              .workers = 2,
                              .blocking_threads = 1,
                              .feed_fanout = 4,
                              .graph_expand = 5,
                              .search_qps = 6,
                              .index_ingest = 7,
                              .mailbox_ops = 8,
                              .compute = 9};
  EXPECT_EQ(resolve_capacity(config, 64), expected);
}

TEST(ConfigCapacity, OneCpuStillHasTwoBlockingThreads) {
  EXPECT_EQ(resolve_capacity(NodeConfig(), 1).blocking_threads, 2u);
}

TEST(ConfigCapacity, AnUnknownNumberOfCpusCountsAsOne) {
  EXPECT_EQ(resolve_capacity(NodeConfig(), 0), resolve_capacity(NodeConfig(), 1));
}

TEST(ConfigCapacity, SingleThreadIsOneThread) {
  NodeConfig config;
  config.node.single_thread = true;
  EXPECT_EQ(resolve_capacity(config, 8).threads, 1u);
  EXPECT_EQ(resolve_capacity(config, 8).workers, 8u);
}

}  // namespace
}  // namespace hyperscale::runtime

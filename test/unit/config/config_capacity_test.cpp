#include "runtime/config/config_capacity.h"

#include "runtime/config/config_loader.h"

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

// By its names, so that a key that is gone or is that of another facet fails.
// proves: NODE-FACET-5
TEST(ConfigCapacity, EveryFacetHasAKeyOfItsOwn) {
  const ConfigInputs file{.file_path = "node.toml",
                          .file_text =
                              "[facets]\nfeed_fanout = 4\ngraph_expand = 5\nsearch_qps = 6\n"
                              "index_ingest = 7\nmailbox_ops = 8\ncompute = 9\n"};
  const ConfigInputs variables{.environment = {{"HYPERSCALE_FACETS_FEED_FANOUT", "4"},
                                               {"HYPERSCALE_FACETS_GRAPH_EXPAND", "5"},
                                               {"HYPERSCALE_FACETS_SEARCH_QPS", "6"},
                                               {"HYPERSCALE_FACETS_INDEX_INGEST", "7"},
                                               {"HYPERSCALE_FACETS_MAILBOX_OPS", "8"},
                                               {"HYPERSCALE_FACETS_COMPUTE", "9"}}};
  for (const ConfigInputs& inputs : {file, variables}) {
    const ConfigLoad load = load_config(inputs);
    ASSERT_TRUE(load.ok()) << render_errors(load.errors);
    const NodeCapacity capacity = resolve_capacity(load.config, 64);
    EXPECT_EQ(capacity.feed_fanout, 4u);
    EXPECT_EQ(capacity.graph_expand, 5u);
    EXPECT_EQ(capacity.search_qps, 6u);
    EXPECT_EQ(capacity.index_ingest, 7u);
    EXPECT_EQ(capacity.mailbox_ops, 8u);
    EXPECT_EQ(capacity.compute, 9u);
  }
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

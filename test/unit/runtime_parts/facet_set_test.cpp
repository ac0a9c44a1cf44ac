#include "runtime/facet/facet_set.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

constexpr MonoTime kStart = MonoTime::from_ns(1);
constexpr unsigned kCpus = 3;

std::vector<std::pair<std::string, std::uint32_t>> caps(const FacetSet& set) {
  std::vector<std::pair<std::string, std::uint32_t>> caps;
  for (const FacetStatus& status : set.snapshot()) caps.emplace_back(status.name, status.cap);
  return caps;
}

TEST(FacetSet, DefaultsAreMultiplesOfTheCpus) {
  Metrics metrics;
  const FacetSet set(NodeConfig{}, kCpus, metrics);
  EXPECT_THAT(caps(set), testing::ElementsAre(testing::Pair("feed", 12), testing::Pair("graph", 6),
                                              testing::Pair("search", 12), testing::Pair("index", 3),
                                              testing::Pair("mailbox", 12), testing::Pair("compute", 12)));
}

// proves: NODE-FACET-5
TEST(FacetSet, SizesComeFromTheConfigurationAndChangeLive) {
  NodeConfig config;
  config.facets.index_ingest = 2;
  Metrics metrics;
  FacetSet set(config, kCpus, metrics);
  Facet* const index = set.find("index");
  ASSERT_NE(index, nullptr);
  auto held = index->try_acquire({.units = 2}, kStart);
  ASSERT_TRUE(held);
  EXPECT_FALSE(index->try_acquire({}, kStart));
  config.facets.index_ingest = 3;
  set.apply(config);
  EXPECT_EQ(set.find("index"), index);
  EXPECT_TRUE(index->try_acquire({}, kStart));
  config.facets.feed_fanout = 4;
  config.facets.graph_expand = 5;
  config.facets.search_qps = 6;
  config.facets.mailbox_ops = 8;
  config.facets.compute = 9;
  set.apply(config);
  EXPECT_THAT(caps(set), testing::ElementsAre(testing::Pair("feed", 4), testing::Pair("graph", 5),
                                              testing::Pair("search", 6), testing::Pair("index", 3),
                                              testing::Pair("mailbox", 8), testing::Pair("compute", 9)));
  Metrics others;
  EXPECT_EQ(caps(FacetSet(config, kCpus, others)), caps(set));
}

TEST(FacetSet, RulesChangeLive) {
  NodeConfig config;
  config.facets.mailbox_ops = 100;
  Metrics metrics;
  FacetSet set(config, kCpus, metrics);
  std::vector<FacetPermit> held;
  for (int i = 0; i < 64; ++i) held.push_back(std::move(*set.find("mailbox")->try_acquire({.tenant = "a"}, kStart)));
  EXPECT_FALSE(set.find("mailbox")->try_acquire({.tenant = "a"}, kStart));
  config.facets.tenant_queue_max = 65;
  set.apply(config);
  EXPECT_TRUE(set.find("mailbox")->try_acquire({.tenant = "a"}, kStart));
}

TEST(FacetSet, KnowsNoOtherNames) {
  Metrics metrics;
  FacetSet set(NodeConfig{}, kCpus, metrics);
  EXPECT_EQ(set.find("feeds"), nullptr);
  EXPECT_EQ(set.find(""), nullptr);
}

TEST(FacetSet, EachFacetHasItsOwnRule) {
  Metrics metrics;
  NodeConfig config;
  config.facets.search_qps = 1000;
  FacetSet set(config, kCpus, metrics);
  EXPECT_EQ(set.find("graph")->try_acquire({.units = kGraphDegreeMax + 1}, kStart).error().code, ErrorCode::kTooLarge);
  const auto late = set.find("feed")->try_acquire({.units = 12, .deadline = kStart}, kStart);
  EXPECT_TRUE(set.find("feed")->try_acquire({.units = 12}, kStart));
  EXPECT_TRUE(late->dropped());
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(set.find("search")->try_acquire({.tenant = "a"}, kStart));
  EXPECT_FALSE(set.find("search")->try_acquire({.tenant = "a"}, kStart));
}

// proves: NODE-FACET-4
// proves part: NODE-FACET-2 (busy at once and counted, several units of a facet; not: several asked of a node)
// proves part: NODE-FACET-3 (each cap holds, by units too; not: by several units asked of a node)
TEST(FacetSet, AnExhaustedFacetLeavesTheOthersAlone) {
  for (const FacetStatus& full : [] {
         Metrics metrics;
         return FacetSet(NodeConfig{}, kCpus, metrics).snapshot();
       }()) {
    Metrics metrics;
    FacetSet set(NodeConfig{}, kCpus, metrics);
    std::vector<FacetPermit> held;
    for (std::uint32_t i = 0; i < full.cap; ++i)
      held.push_back(std::move(*set.find(full.name)->try_acquire({}, kStart)));
    EXPECT_EQ(set.find(full.name)->try_acquire({}, kStart).error().code, ErrorCode::kBusy);
    EXPECT_EQ(metrics.value(Counter::kFacetBusy, full.name), 1);
    EXPECT_EQ(metrics.value(Gauge::kSemaphoreInflight, full.name), full.cap);
    for (const FacetStatus& other : set.snapshot()) {
      if (other.name == full.name) continue;
      EXPECT_TRUE(set.find(other.name)->try_acquire({.units = other.cap}, kStart)) << full.name << ", " << other.name;
      EXPECT_EQ(metrics.value(Counter::kFacetBusy, other.name), 0);
    }
    set.find(full.name)->on_deadline_missed();
    for (const FacetStatus& each : set.snapshot())
      EXPECT_EQ(metrics.value(Counter::kFacetDeadlineTimeouts, each.name), each.name == full.name ? 1 : 0);
  }
}

}  // namespace
}  // namespace hyperscale::runtime

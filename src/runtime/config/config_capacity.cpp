#include "runtime/config/config_capacity.h"

#include <algorithm>

namespace hyperscale::runtime {
namespace {

constexpr std::uint32_t kFeedFanoutPerCpu = 4;
constexpr std::uint32_t kGraphExpandPerCpu = 2;
constexpr std::uint32_t kSearchQpsPerCpu = 4;
constexpr std::uint32_t kIndexIngestPerCpu = 1;
constexpr std::uint32_t kMailboxOpsPerCpu = 4;
constexpr std::uint32_t kComputePerCpu = 4;
constexpr std::uint32_t kBlockingThreadsMin = 2;

std::uint32_t stated_or(std::uint32_t stated, std::uint32_t otherwise) {
  return stated == 0 ? otherwise : stated;
}

}  // namespace

NodeCapacity resolve_capacity(const NodeConfig& config, std::uint32_t cpus) {
  cpus = std::max(cpus, 1u);
  const NodeConfig::Facets& facets = config.facets;
  return NodeCapacity{
      .threads = config.node.single_thread ? 1 : stated_or(config.node.threads, cpus),
      .workers = stated_or(config.node.workers, cpus),
      .blocking_threads = stated_or(config.blocking_pool.threads, std::max(kBlockingThreadsMin, cpus)),
      .feed_fanout = stated_or(facets.feed_fanout, kFeedFanoutPerCpu * cpus),
      .graph_expand = stated_or(facets.graph_expand, kGraphExpandPerCpu * cpus),
      .search_qps = stated_or(facets.search_qps, kSearchQpsPerCpu * cpus),
      .index_ingest = stated_or(facets.index_ingest, kIndexIngestPerCpu * cpus),
      .mailbox_ops = stated_or(facets.mailbox_ops, kMailboxOpsPerCpu * cpus),
      .compute = stated_or(facets.compute, kComputePerCpu * cpus),
  };
}

}  // namespace hyperscale::runtime

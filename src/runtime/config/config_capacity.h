// Resolves "0 = the default" on a machine with a given number of CPUs.
//
// Thread rule: a pure function. Invariants: every number is at least 1. A number that the configuration states is taken
// as it is.
#pragma once

#include "runtime/config/node_config.h"

#include <cstdint>

namespace hyperscale::runtime {

struct NodeCapacity {
  std::uint32_t threads = 1;
  std::uint32_t workers = 1;
  std::uint32_t blocking_threads = 2;
  // Permits of the facets.
  std::uint32_t feed_fanout = 1;
  std::uint32_t graph_expand = 1;
  std::uint32_t search_qps = 1;
  std::uint32_t index_ingest = 1;
  std::uint32_t mailbox_ops = 1;
  std::uint32_t compute = 1;
  bool operator==(const NodeCapacity&) const = default;
};

// cpus 0 (unknown) counts as 1. With node.single_thread there is one event-loop thread.
NodeCapacity resolve_capacity(const NodeConfig& config, std::uint32_t cpus);

}  // namespace hyperscale::runtime

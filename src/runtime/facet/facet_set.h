// FacetSet: the six facets of a node, sized from its configuration.
//
//   facet    semaphore     default cap  extra rule
//   feed     feed_fanout   4 x CPU      units = fan-out width; overdue fan-outs are dropped, oldest first
//   graph    graph_expand  2 x CPU      units = degree, refused above kGraphDegreeMax; an expansion takes one permit
//   search   search_qps    4 x CPU      token bucket per tenant
//   index    index_ingest  1 x CPU      none here: updates are coalesced by their queue
//   mailbox  mailbox_ops   4 x CPU      permits in flight per tenant
//   compute  compute       4 x CPU      none
//
// Thread rule: every method from any thread. The facets exist from construction to destruction; find() never returns
// a pointer that becomes invalid earlier.
//
// Failure: none; apply() takes any configuration that was validated.
#pragma once

#include "runtime/config/node_config.h"
#include "runtime/facet/facet.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace hyperscale::runtime {

class FacetSet {
 public:
  // REQUIRES: metrics outlives the set.
  FacetSet(const NodeConfig& config, unsigned cpus, Metrics& metrics);

  // Null for an unknown name.
  Facet* find(std::string_view name);
  // New caps and rules take effect at once; nothing in flight is revoked.
  void apply(const NodeConfig& config);
  std::vector<FacetStatus> snapshot() const;

 private:
  unsigned cpus_;
  std::vector<std::unique_ptr<Facet>> facets_;
};

}  // namespace hyperscale::runtime

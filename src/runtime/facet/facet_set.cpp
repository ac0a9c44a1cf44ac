#include "runtime/facet/facet_set.h"

#include "runtime/config/config_capacity.h"

#include <string>
#include <utility>

namespace hyperscale::runtime {
namespace {

struct FacetPlan {
  const char* name;
  std::uint32_t cap;
  FacetRules rules;
};

std::vector<FacetPlan> plan_facets(const NodeConfig& config, unsigned cpus) {
  const NodeCapacity capacity = resolve_capacity(config, cpus);
  const NodeConfig::Facets& facets = config.facets;
  const TenantRate tenant_rate{.per_s = facets.tenant_rate, .burst = facets.tenant_burst};
  return {
      {"feed", capacity.feed_fanout, {.drop_overdue = true}},
      {"graph", capacity.graph_expand, {.cost = PermitCost::kOne, .units_max = kGraphDegreeMax}},
      {"search", capacity.search_qps, {.tenant_rate = tenant_rate}},
      {"index", capacity.index_ingest, {}},
      {"mailbox", capacity.mailbox_ops, {.tenant_inflight_max = facets.tenant_queue_max}},
      {"compute", capacity.compute, {}},
  };
}

}  // namespace

FacetSet::FacetSet(const NodeConfig& config, unsigned cpus, Metrics& metrics) : cpus_(cpus) {
  for (const FacetPlan& plan : plan_facets(config, cpus))
    facets_.push_back(std::make_unique<Facet>(plan.name, plan.cap, plan.rules, metrics));
}

Facet* FacetSet::find(std::string_view name) {
  for (const auto& facet : facets_)
    if (facet->name() == name) return facet.get();
  return nullptr;
}

void FacetSet::apply(const NodeConfig& config) {
  for (const FacetPlan& plan : plan_facets(config, cpus_)) {
    Facet* facet = find(plan.name);
    facet->set_cap(plan.cap);
    facet->set_rules(plan.rules);
  }
}

std::vector<FacetStatus> FacetSet::snapshot() const {
  std::vector<FacetStatus> statuses;
  statuses.reserve(facets_.size());
  for (const auto& facet : facets_) statuses.push_back(facet->status());
  return statuses;
}

}  // namespace hyperscale::runtime

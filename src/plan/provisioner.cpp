#include "plan/provisioner.h"

#include "base/check.h"

#include <algorithm>

namespace hyperscale::plan {
namespace {

// Pointers into the list, so that equal claims keep its order.
std::vector<const WorkflowClaim*> by_claim(std::span<const WorkflowClaim> workflows) {
  std::vector<const WorkflowClaim*> sorted;
  for (const WorkflowClaim& claim : workflows) sorted.push_back(&claim);
  std::ranges::sort(sorted, [](const WorkflowClaim* a, const WorkflowClaim* b) {
    if (a->priority != b->priority) return a->priority > b->priority;
    if (a->is_test != b->is_test) return a->is_test;
    return a < b;
  });
  return sorted;
}

std::uint32_t sum_of(const Batch& batch) {
  std::uint32_t sum = 0;
  for (const Provision& each : batch) sum += each.threads;
  return sum;
}

bool has_room(const Batch& batch, Priority priority, std::uint32_t threads_min, std::uint32_t pool) {
  if (batch.empty()) return true;
  if (priority == Priority::kExclusive || batch.front().priority == Priority::kExclusive) return false;
  return sum_of(batch) + threads_min <= pool;
}

// Members are ordered by priority, so the first of those with fewest threads is served next.
void share_out(Batch& batch, std::uint32_t pool) {
  for (std::uint32_t left = pool - sum_of(batch); left > 0; --left) {
    Provision* poorest = nullptr;
    for (Provision& each : batch) {
      const bool may_have_more = each.threads < threads_of(each.priority, pool).max;
      if (may_have_more && (poorest == nullptr || each.threads < poorest->threads)) poorest = &each;
    }
    if (poorest == nullptr) return;
    ++poorest->threads;
  }
}

}  // namespace

std::vector<Batch> provision(std::span<const WorkflowClaim> workflows, std::uint32_t pool) {
  CHECK(pool > 0, "workflows are provisioned from an empty pool");
  Batch bypass;
  std::vector<Batch> batches;
  for (const WorkflowClaim* each : by_claim(workflows)) {
    const WorkflowClaim& claim = *each;
    if (!claim.is_test) {
      bypass.push_back({claim.workflow, claim.priority, 0});
      continue;
    }
    const std::uint32_t threads_min = threads_of(claim.priority, pool).min;
    if (batches.empty() || !has_room(batches.back(), claim.priority, threads_min, pool)) batches.emplace_back();
    batches.back().push_back({claim.workflow, claim.priority, threads_min});
  }
  for (Batch& batch : batches) share_out(batch, pool);
  if (!bypass.empty()) batches.insert(batches.begin(), std::move(bypass));
  return batches;
}

std::uint32_t cores_of(const Provision& provision) {
  return std::max(1U, provision.threads);
}

}  // namespace hyperscale::plan

#include "membership/probe_cycles.h"

#include <algorithm>
#include <utility>

namespace hyperscale::membership {

using wire::NodeAddress;

std::vector<ProbeCycle>::iterator ProbeCycles::find(std::uint64_t sequence) {
  return std::find_if(cycles_.begin(), cycles_.end(), [&](const ProbeCycle& c) { return c.sequence == sequence; });
}

bool ProbeCycles::start(const ProbeCycle& cycle) {
  if (cycles_.size() >= kProbesInFlightMax) return false;
  cycles_.push_back(cycle);
  return true;
}

std::optional<ProbeCycle> ProbeCycles::answered(std::uint64_t sequence, const NodeAddress& target) {
  const auto found = find(sequence);
  if (found == cycles_.end() || found->target != target) return std::nullopt;
  ProbeCycle cycle = std::move(*found);
  cycles_.erase(found);
  return cycle;
}

void ProbeCycles::ask_proxies(std::uint64_t sequence, std::size_t proxies, MonoTime deadline) {
  const auto found = find(sequence);
  if (found == cycles_.end()) return;
  found->indirect = true;
  found->proxies_asked = proxies;
  found->deadline = deadline;
}

bool ProbeCycles::nacked(std::uint64_t sequence, const NodeAddress& target, const NodeAddress& proxy, MonoTime now) {
  const auto found = find(sequence);
  if (found == cycles_.end() || found->target != target || !found->indirect) return false;
  std::vector<NodeAddress>& by = found->nacked_by;
  if (by.size() >= found->proxies_asked || std::find(by.begin(), by.end(), proxy) != by.end()) return false;
  by.push_back(proxy);
  if (by.size() < found->proxies_asked) return false;
  found->deadline = std::min(found->deadline, now);
  return true;
}

bool ProbeCycles::refused(const NodeAddress& target) {
  bool any = false;
  for (ProbeCycle& cycle : cycles_) {
    if (cycle.target != target || cycle.indirect) continue;
    cycle.refused = true;
    any = true;
  }
  return any;
}

std::vector<ProbeCycle> ProbeCycles::overdue(MonoTime now) {
  std::vector<ProbeCycle> due;
  for (const ProbeCycle& cycle : cycles_) {
    const bool is_refused = cycle.refused && !cycle.indirect;
    if (is_refused || cycle.deadline <= now) due.push_back(cycle);
  }
  return due;
}

void ProbeCycles::drop(std::uint64_t sequence) {
  if (const auto found = find(sequence); found != cycles_.end()) cycles_.erase(found);
}

void ProbeCycles::drop_target(const NodeAddress& target) {
  std::erase_if(cycles_, [&](const ProbeCycle& cycle) { return cycle.target == target; });
}

bool ProbeCycles::is_probing(const NodeAddress& target) const {
  return std::any_of(cycles_.begin(), cycles_.end(), [&](const ProbeCycle& c) { return c.target == target; });
}

void ProbeCycles::not_before(MonoTime deadline) {
  for (ProbeCycle& cycle : cycles_) cycle.deadline = std::max(cycle.deadline, deadline);
}

MonoTime ProbeCycles::next_deadline() const {
  MonoTime next = MonoTime::max();
  for (const ProbeCycle& cycle : cycles_) next = std::min(next, cycle.deadline);
  return next;
}

}  // namespace hyperscale::membership

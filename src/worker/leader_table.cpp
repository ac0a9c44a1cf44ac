#include "worker/leader_table.h"

#include <algorithm>

namespace hyperscale::worker {

void LeaderTable::manager_down(const wire::NodeAddress& manager) {
  managers_.erase(manager);
  if (group_leader_ && group_leader_->address == manager) group_leader_.reset();
  for (auto& [name, job] : jobs_)
    if (job.leader && job.leader->address == manager) job.leader.reset();
}

bool LeaderTable::lead(const std::string& job, const wire::NodeIdentity& leader, std::uint64_t epoch) {
  Job& known = jobs_[job];
  if (epoch < known.epoch) return false;
  if (epoch == known.epoch && known.leader && known.leader->address == leader.address) return false;
  known = {leader, epoch, 0};
  return true;
}

void LeaderTable::lead_answers(const std::string& job) {
  if (const auto known = jobs_.find(job); known != jobs_.end()) known->second.turn = 0;
}

std::vector<wire::NodeIdentity> LeaderTable::candidates(const std::string& job) const {
  std::vector<wire::NodeIdentity> out;
  const auto add = [&](const wire::NodeIdentity& manager) {
    const bool known = std::ranges::any_of(out, [&](const auto& each) { return each.address == manager.address; });
    if (!known) out.push_back(manager);
  };
  if (const auto known = jobs_.find(job); known != jobs_.end() && known->second.leader) add(*known->second.leader);
  if (group_leader_) add(*group_leader_);
  for (const auto& [address, manager] : managers_) add(manager);
  return out;
}

std::optional<wire::NodeIdentity> LeaderTable::target(const std::string& job) const {
  const std::vector<wire::NodeIdentity> all = candidates(job);
  if (all.empty()) return std::nullopt;
  const auto known = jobs_.find(job);
  return all[known == jobs_.end() ? 0 : known->second.turn % all.size()];
}

void LeaderTable::failed(const std::string& job, const wire::NodeAddress& manager) {
  const auto known = jobs_.find(job);
  const auto now = target(job);
  if (known != jobs_.end() && now && now->address == manager) ++known->second.turn;
}

std::size_t LeaderTable::round(const std::string& job) const {
  return std::max<std::size_t>(candidates(job).size(), 1);
}

std::optional<wire::NodeIdentity> LeaderTable::leader(const std::string& job) const {
  const auto known = jobs_.find(job);
  return known == jobs_.end() ? std::nullopt : known->second.leader;
}

std::uint64_t LeaderTable::epoch(const std::string& job) const {
  const auto known = jobs_.find(job);
  return known == jobs_.end() ? 0 : known->second.epoch;
}

}  // namespace hyperscale::worker

#include "membership/detection/job_layer.h"

#include "membership/detection/scaled_duration.h"

#include <algorithm>
#include <tuple>

namespace hyperscale::membership {

Duration poll_interval(Duration remaining, const PollConfig& config) {
  if (remaining > config.near) return config.far_interval;
  return remaining >= config.close ? config.near_interval : config.close_interval;
}

JobLayer::JobLayer(const DetectionConfig& config, DetectorStats& stats) : config_(config), stats_(stats) {}

void JobLayer::set_members(const JobKey& job, std::size_t members) {
  if (!jobs_.contains(job) && jobs_.size() >= config_.limits.max_jobs) {
    ++stats_.job_counts_ignored;
    return;
  }
  jobs_[job].members = members;
}

bool JobLayer::suspect(const JobKey& job, const Accusation& accusation, const Surroundings& around, MonoTime now) {
  if (Entry* known = find(job, accusation.node)) {
    const wire::Incarnation suspected = known->suspicion.incarnation();
    if (accusation.incarnation <= suspected) {
      return confirm(job, accusation.node, accusation.incarnation, accusation.from, now);
    }
    // Only the node itself raises its incarnation: it has answered since.
    unschedule(*known);
    known->suspicion = Suspicion(doubt_of(accusation, jobs_[job], around, now));
    known->health_multiplier = around.health_multiplier;
    schedule(job, accusation.node, *known, around, now);
    ++stats_.job_suspicions;
    return true;
  }
  if (!admits(job)) return false;
  Job& record = jobs_[job];
  Entry entry{Suspicion(doubt_of(accusation, record, around, now)), accusation.role, around.health_multiplier, {}};
  schedule(job, accusation.node, record.entries.emplace(accusation.node, std::move(entry)).first->second, around, now);
  ++total_;
  ++stats_.job_suspicions;
  return true;
}

bool JobLayer::confirm(const JobKey& job, const wire::NodeAddress& node, wire::Incarnation incarnation,
                       const wire::NodeAddress& from, MonoTime now) {
  Entry* known = find(job, node);
  if (known == nullptr || !known->next_poll || incarnation != known->suspicion.incarnation()) return false;
  return known->suspicion.confirm(from, now, config_.mutations);
}

bool JobLayer::refute(const JobKey& job, const wire::NodeAddress& node, wire::Incarnation incarnation) {
  const Entry* known = find(job, node);
  if (known == nullptr) return false;
  const bool fresher =
      incarnation > known->suspicion.incarnation() || config_.mutations.refute_without_higher_incarnation;
  if (!fresher) return false;
  Job& record = jobs_[job];
  erase(record, record.entries.find(node));
  ++stats_.job_refutations;
  return true;
}

bool JobLayer::answered(const JobKey& job, const wire::NodeAddress& node) {
  if (find(job, node) == nullptr) return false;
  Job& record = jobs_[job];
  erase(record, record.entries.find(node));
  drop_empty_jobs();
  ++stats_.job_refutations;
  return true;
}

std::size_t JobLayer::clear_job(const JobKey& job) {
  const auto known = jobs_.find(job);
  if (known == jobs_.end()) return 0;
  const std::size_t cleared = known->second.entries.size();
  while (!known->second.entries.empty()) erase(known->second, known->second.entries.begin());
  jobs_.erase(known);
  return cleared;
}

std::size_t JobLayer::clear_node(const wire::NodeAddress& node) {
  std::size_t cleared = 0;
  for (auto& [job, record] : jobs_) {
    const auto entry = record.entries.find(node);
    if (entry == record.entries.end()) continue;
    erase(record, entry);
    ++cleared;
  }
  drop_empty_jobs();
  return cleared;
}

void JobLayer::clear() {
  jobs_.clear();
  schedule_.clear();
  total_ = 0;
}

std::vector<JobDeath> JobLayer::poll(const Surroundings& around, MonoTime now) {
  std::vector<JobDeath> deaths;
  while (!schedule_.empty() && schedule_.begin()->first.first <= now) {
    const Polled polled = schedule_.begin()->second;
    Job& record = jobs_[polled.job];
    Entry& entry = record.entries.find(polled.node)->second;
    unschedule(entry);
    ++stats_.job_polls;
    const std::size_t members = record.members.value_or(around.members);
    entry.suspicion.refit(timeouts_of(entry, members), reachable_confirmations(config_.confirmations_wanted, members));
    if (now < entry.suspicion.deadline()) {
      schedule(polled.job, polled.node, entry, around, now);
      continue;
    }
    deaths.push_back(
        {polled.job, polled.node, entry.suspicion.incarnation(), entry.suspicion.since(), entry.suspicion.deadline()});
  }
  stats_.job_deaths += deaths.size();
  std::sort(deaths.begin(), deaths.end(), [](const JobDeath& a, const JobDeath& b) {
    return std::tie(a.deadline, a.job, a.node) < std::tie(b.deadline, b.job, b.node);
  });
  return deaths;
}

std::map<wire::NodeAddress, std::size_t> JobLayer::clear_orphans(
    const std::function<bool(const wire::NodeAddress&)>& is_gone) {
  std::map<wire::NodeAddress, std::size_t> cleared;
  for (auto& [job, record] : jobs_) {
    for (auto entry = record.entries.begin(); entry != record.entries.end();) {
      const auto next = std::next(entry);
      if (record.members == 0 || is_gone(entry->first)) {
        ++cleared[entry->first];
        erase(record, entry);
      }
      entry = next;
    }
  }
  drop_empty_jobs();
  return cleared;
}

std::map<wire::NodeAddress, std::size_t> JobLayer::dead_everywhere() const {
  std::map<wire::NodeAddress, std::size_t> dead;
  for (const auto& [job, record] : jobs_) {
    for (const auto& [node, entry] : record.entries) dead[node] += entry.next_poll ? 0 : 1;
  }
  for (const auto& [job, record] : jobs_) {
    for (const auto& [node, entry] : record.entries) {
      if (entry.next_poll) dead.erase(node);
    }
  }
  std::erase_if(dead, [](const auto& node_and_jobs) { return node_and_jobs.second < 2; });
  return dead;
}

bool JobLayer::is_dead(const JobKey& job, const wire::NodeAddress& node) const {
  const auto known = jobs_.find(job);
  if (known == jobs_.end()) return false;
  const auto entry = known->second.entries.find(node);
  return entry != known->second.entries.end() && !entry->second.next_poll;
}

bool JobLayer::is_full(const JobKey& job) const {
  if (total_ >= config_.limits.max_total_suspicions) return true;
  const auto known = jobs_.find(job);
  return known != jobs_.end() && known->second.entries.size() >= config_.limits.max_suspicions_per_job;
}

std::vector<NodeStatus::Job> JobLayer::describe(const wire::NodeAddress& node) const {
  std::vector<NodeStatus::Job> found;
  for (const auto& [job, record] : jobs_) {
    const auto entry = record.entries.find(node);
    if (entry == record.entries.end()) continue;
    found.push_back({job, entry->second.next_poll ? Liveness::kSuspected : Liveness::kDead});
  }
  return found;
}

Suspicion::Doubt JobLayer::doubt_of(const Accusation& accusation, const Job& job, const Surroundings& around,
                                    MonoTime now) const {
  const std::size_t members = job.members.value_or(around.members);
  return {.incarnation = accusation.incarnation,
          .from = accusation.from,
          .since = now,
          .timeouts = timeouts_in_cluster(config_.timeouts(accusation.role).job, config_.suspicion_k, members,
                                          around.health_multiplier),
          .confirmations_wanted = reachable_confirmations(config_.confirmations_wanted, members)};
}

SuspicionTimeouts JobLayer::timeouts_of(const Entry& entry, std::size_t members) const {
  return timeouts_in_cluster(config_.timeouts(entry.role).job, config_.suspicion_k, members, entry.health_multiplier);
}

void JobLayer::schedule(const JobKey& job, const wire::NodeAddress& node, Entry& entry, const Surroundings& around,
                        MonoTime now) {
  const Duration remaining = entry.suspicion.deadline() - now;
  const Duration interval = scaled(poll_interval(remaining, config_.poll), around.health_multiplier);
  entry.next_poll = PollAt{now + std::min(interval, remaining), polls_scheduled_++};
  schedule_.emplace(*entry.next_poll, Polled{job, node});
}

void JobLayer::unschedule(Entry& entry) {
  if (entry.next_poll) schedule_.erase(*entry.next_poll);
  entry.next_poll.reset();
}

JobLayer::Entry* JobLayer::find(const JobKey& job, const wire::NodeAddress& node) {
  const auto known = jobs_.find(job);
  if (known == jobs_.end()) return nullptr;
  const auto entry = known->second.entries.find(node);
  return entry == known->second.entries.end() ? nullptr : &entry->second;
}

void JobLayer::erase(Job& job, std::map<wire::NodeAddress, Entry>::iterator entry) {
  unschedule(entry->second);
  job.entries.erase(entry);
  --total_;
}

// A job whose member count was set is kept until clear_job().
void JobLayer::drop_empty_jobs() {
  std::erase_if(jobs_, [](const auto& job) { return job.second.entries.empty() && !job.second.members; });
}

bool JobLayer::admits(const JobKey& job) {
  if (!is_full(job)) return true;
  ++(total_ >= config_.limits.max_total_suspicions ? stats_.refused_total_full : stats_.refused_job_full);
  return false;
}

}  // namespace hyperscale::membership

#include "membership/detection/failure_detector.h"

#include "base/check.h"
#include "membership/detection/global_layer.h"
#include "membership/detection/job_layer.h"

#include <algorithm>
#include <set>

namespace hyperscale::membership {

struct FailureDetector::Parts {
  explicit Parts(const DetectionConfig& from) : config(from), jobs(config, stats) {}

  bool running() const { return state == DetectorState::kRunning; }
  bool is_dead(const wire::NodeAddress& node) const { return running() && global->is_dead(node); }
  bool tracks_nothing() const { return global->empty() && jobs.entries() == 0; }
  Suspicion::Doubt doubt_of(const Accusation& accusation, MonoTime now) const;
  void begin_tracking(MonoTime now);
  void make_room(MonoTime now);
  std::vector<Anomaly> reconcile(MonoTime now);
  void clear_job_entries_of_dead(std::vector<Anomaly>& found);
  void find_dead_everywhere(std::vector<Anomaly>& found);

  DetectionConfig config;
  DetectorState state = DetectorState::kCreated;
  DetectorStats stats;
  Surroundings around;
  std::optional<GlobalLayer> global;  // its wheel begins with start()
  JobLayer jobs;
  MonoTime next_reconcile;
  std::optional<MonoTime> made_room_at;
  std::set<wire::NodeAddress> reported_dead_everywhere;
};

// A peer's own timeout replaces the role's upper one; confirmations still shorten it.
Suspicion::Doubt FailureDetector::Parts::doubt_of(const Accusation& accusation, MonoTime now) const {
  SuspicionTimeouts timeouts = timeouts_in_cluster(config.timeouts(accusation.role).global, config.suspicion_k,
                                                   around.members, around.health_multiplier);
  if (accusation.timeout) {
    timeouts.max = std::clamp(*accusation.timeout, config.wheel.fine_tick, config.adaptive_timeout_max);
    timeouts.min = std::min(timeouts.min, timeouts.max);
  }
  return {.incarnation = accusation.incarnation,
          .from = accusation.from,
          .since = now,
          .timeouts = timeouts,
          .confirmations_wanted = reachable_confirmations(config.confirmations_wanted, around.members)};
}

void FailureDetector::Parts::begin_tracking(MonoTime now) {
  if (tracks_nothing()) next_reconcile = now + config.reconcile_interval;
}

// A storm at the limit must not look through everything each time: once a tick is enough.
void FailureDetector::Parts::make_room(MonoTime now) {
  if (made_room_at && now - *made_room_at < config.wheel.fine_tick) return;
  made_room_at = now;
  std::vector<Anomaly> found;
  clear_job_entries_of_dead(found);
  stats.anomalies += found.size();
}

std::vector<Anomaly> FailureDetector::Parts::reconcile(MonoTime now) {
  std::vector<Anomaly> found = global->repair_wheel();
  global->forget_old_deaths(now);
  clear_job_entries_of_dead(found);
  find_dead_everywhere(found);
  ++stats.reconciliations;
  stats.anomalies += found.size();
  next_reconcile = now + config.reconcile_interval;
  return found;
}

void FailureDetector::Parts::clear_job_entries_of_dead(std::vector<Anomaly>& found) {
  for (const auto& [node, entries] : jobs.clear_orphans([this](const auto& key) { return global->is_dead(key); })) {
    stats.orphans_cleared += entries;
    if (global->is_dead(node)) found.push_back({Anomaly::Kind::kJobEntriesOfDeadNode, node, entries});
  }
}

void FailureDetector::Parts::find_dead_everywhere(std::vector<Anomaly>& found) {
  std::set<wire::NodeAddress> now_dead;
  for (const auto& [node, in_jobs] : jobs.dead_everywhere()) {
    if (global->is_suspected(node)) continue;
    now_dead.insert(node);
    if (!reported_dead_everywhere.contains(node)) found.push_back({Anomaly::Kind::kDeadForEveryJob, node, in_jobs});
  }
  reported_dead_everywhere = std::move(now_dead);
}

FailureDetector::FailureDetector(const DetectionConfig& config) : parts_(std::make_unique<Parts>(config)) {}
FailureDetector::~FailureDetector() = default;
FailureDetector::FailureDetector(FailureDetector&&) noexcept = default;
FailureDetector& FailureDetector::operator=(FailureDetector&&) noexcept = default;

void FailureDetector::start(MonoTime now) {
  CHECK(parts_->state == DetectorState::kCreated);
  parts_->state = DetectorState::kStarting;
  parts_->global.emplace(parts_->config, parts_->stats, now);
  parts_->next_reconcile = now + parts_->config.reconcile_interval;
  parts_->state = DetectorState::kRunning;
}

void FailureDetector::stop() {
  if (!parts_->running()) return;
  parts_->state = DetectorState::kStopping;
  parts_->global->clear();
  parts_->jobs.clear();
  parts_->reported_dead_everywhere.clear();
  parts_->state = DetectorState::kStopped;
}

DetectorState FailureDetector::state() const {
  return parts_->state;
}

void FailureDetector::set_members(std::size_t members) {
  parts_->around.members = members;
}

void FailureDetector::set_health_multiplier(double multiplier) {
  CHECK(multiplier >= 1, "health multiplier {}", multiplier);
  parts_->around.health_multiplier = parts_->config.mutations.ignore_local_health ? 1 : multiplier;
}

void FailureDetector::set_job_members(const JobKey& job, std::size_t members) {
  parts_->jobs.set_members(job, members);
}

bool FailureDetector::suspect_global(const Accusation& accusation, MonoTime now) {
  if (!parts_->running()) return false;
  parts_->begin_tracking(now);
  return parts_->global->suspect(accusation.node, parts_->doubt_of(accusation, now));
}

bool FailureDetector::confirm_global(const wire::NodeAddress& node, wire::Incarnation incarnation,
                                     const wire::NodeAddress& from, MonoTime now) {
  return parts_->running() && parts_->global->confirm(node, incarnation, from, now);
}

bool FailureDetector::shorten_global(const wire::NodeAddress& node, MonoTime deadline) {
  return parts_->running() && parts_->global->shorten_suspicion(node, deadline);
}

bool FailureDetector::refute_global(const wire::NodeAddress& node, wire::Incarnation incarnation) {
  return parts_->running() && parts_->global->refute(node, incarnation);
}

bool FailureDetector::declare_global_death(const wire::NodeAddress& node, wire::Incarnation incarnation, MonoTime now) {
  if (!parts_->running()) return false;
  parts_->begin_tracking(now);
  if (!parts_->global->declare_dead(node, incarnation, now)) return false;
  if (!parts_->config.mutations.global_death_keeps_jobs) parts_->jobs.clear_node(node);
  return true;
}

bool FailureDetector::clear_global_death(const wire::NodeAddress& node, wire::Incarnation incarnation) {
  if (!parts_->running() || !parts_->global->revive(node, incarnation)) return false;
  parts_->jobs.clear_node(node);
  return true;
}

void FailureDetector::forget(const wire::NodeAddress& node) {
  if (!parts_->running()) return;
  parts_->global->forget(node);
  parts_->jobs.clear_node(node);
}

bool FailureDetector::suspect_job(const JobKey& job, const Accusation& accusation, MonoTime now) {
  if (!parts_->running() || parts_->global->is_dead(accusation.node)) return false;
  parts_->begin_tracking(now);
  if (parts_->jobs.is_full(job)) parts_->make_room(now);
  return parts_->jobs.suspect(job, accusation, parts_->around, now);
}

bool FailureDetector::confirm_job(const JobKey& job, const wire::NodeAddress& node, wire::Incarnation incarnation,
                                  const wire::NodeAddress& from, MonoTime now) {
  return parts_->running() && parts_->jobs.confirm(job, node, incarnation, from, now);
}

bool FailureDetector::refute_job(const JobKey& job, const wire::NodeAddress& node, wire::Incarnation incarnation) {
  return parts_->running() && parts_->jobs.refute(job, node, incarnation);
}

bool FailureDetector::answered_job(const JobKey& job, const wire::NodeAddress& node) {
  return parts_->running() && parts_->jobs.answered(job, node);
}

std::size_t FailureDetector::clear_job(const JobKey& job) {
  return parts_->jobs.clear_job(job);
}

bool FailureDetector::is_alive_global(const wire::NodeAddress& node) const {
  return !parts_->is_dead(node);
}

bool FailureDetector::is_alive_for_job(const JobKey& job, const wire::NodeAddress& node) const {
  return !parts_->is_dead(node) && !parts_->jobs.is_dead(job, node);
}

std::optional<NodeStatus> FailureDetector::node_status(const wire::NodeAddress& node) const {
  if (!parts_->running()) return std::nullopt;
  NodeStatus status;
  const bool known = parts_->global->describe(node, status);
  status.jobs = parts_->jobs.describe(node);
  if (!known && status.jobs.empty()) return std::nullopt;
  return status;
}

Expired FailureDetector::expire(MonoTime now) {
  Expired expired;
  if (!parts_->running()) return expired;
  expired.global = parts_->global->expire(now);
  for (GlobalDeath& death : expired.global) {
    if (parts_->config.mutations.global_death_keeps_jobs) continue;
    death.job_entries_cleared = parts_->jobs.clear_node(death.node);
  }
  expired.job = parts_->jobs.poll(parts_->around, now);
  if (now >= parts_->next_reconcile) expired.anomalies = parts_->reconcile(now);
  return expired;
}

MonoTime FailureDetector::next_wake() const {
  if (!parts_->running() || parts_->tracks_nothing()) return MonoTime::max();
  return std::min({parts_->global->next_wake(), parts_->jobs.next_wake(), parts_->next_reconcile});
}

std::size_t FailureDetector::global_suspicions() const {
  return parts_->global ? parts_->global->suspects() : 0;
}
std::size_t FailureDetector::job_entries() const {
  return parts_->jobs.entries();
}
const DetectorStats& FailureDetector::stats() const {
  return parts_->stats;
}

}  // namespace hyperscale::membership

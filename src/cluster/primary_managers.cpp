#include "cluster/primary_managers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hyperscale::cluster {
namespace {

// How many probe intervals a manager may be silent. Each member is probed once in a round of as many intervals as there
// are members, and probes too: a manager that is silent for three rounds has a fault or lost packets.
constexpr std::int64_t kSilentIntervalsMin = 10;
constexpr std::int64_t kSilentRounds = 3;
// A node that checks later than this has not run, and reads messages of the others first.
constexpr std::int64_t kLateLook = 5;

}  // namespace

HealthBucket bucket_of(const wire::ManagerHeartbeat& heartbeat) {
  switch (heartbeat.state) {
    case wire::ServerState::kSyncing:
      return HealthBucket::kDegraded;
    case wire::ServerState::kDraining:
      return HealthBucket::kUnhealthy;
    case wire::ServerState::kActive:
      break;
  }
  const bool full = heartbeat.active_workflows > 0 && heartbeat.available_cores == 0;
  return full ? HealthBucket::kBusy : HealthBucket::kHealthy;
}

PrimaryManagers::PrimaryManagers(const wire::NodeIdentity& self, Duration probe_interval,
                                 membership::Membership& membership)
    : self_(self), probe_interval_(probe_interval), membership_(membership) {}

bool PrimaryManagers::is_wanted(const wire::NodeIdentity& member) const {
  if (member.role != wire::NodeRole::kManager || self_.role == wire::NodeRole::kManager) return false;
  return self_.role == wire::NodeRole::kGate || member.datacenter == self_.datacenter;
}

PrimaryManagers::Datacenter& PrimaryManagers::datacenter(const std::string& name) {
  const auto known = datacenters_.find(name);
  if (known != datacenters_.end()) return known->second;
  if (datacenters_.size() >= kDatacentersMax)
    std::erase_if(datacenters_, [](const auto& each) { return !each.second.choice.current(); });
  PeerChoice choice(ChoiceConfig::scaled_to(probe_interval_), self_.name);
  return datacenters_.emplace(name, Datacenter{std::move(choice), {}, {}}).first->second;
}

void PrimaryManagers::member_up(const wire::NodeIdentity& member, MonoTime now) {
  if (!is_wanted(member)) return;
  managers_.insert_or_assign(
      member.address, Manager{.identity = member, .heartbeat = {}, .up_since = now, .heard_at = {}, .missed = false});
  choose(member.datacenter, now);
}

void PrimaryManagers::member_down(const wire::NodeIdentity& member, MonoTime now) {
  if (managers_.erase(member.address) == 0) return;
  Datacenter& here = datacenter(member.datacenter);
  here.choice.failed(member.address, now);  // when it is back, it has to show that it is better
  if (here.leader && here.leader->address == member.address) set_leader(member.datacenter, here, std::nullopt);
  choose(member.datacenter, now);
}

void PrimaryManagers::job_node_down(std::string_view job, const wire::NodeIdentity& member, MonoTime now) {
  if (self_.role != wire::NodeRole::kGate || job != member.datacenter || !managers_.contains(member.address)) return;
  datacenter(member.datacenter).choice.failed(member.address, now);
  choose(member.datacenter, now);
}

void PrimaryManagers::heard(const wire::NodeIdentity& member, MonoTime now) {
  const auto manager = managers_.find(member.address);
  if (manager == managers_.end()) return;
  manager->second.heard_at = now;
  if (!std::exchange(manager->second.missed, false)) return;
  membership_.answered_job(member.datacenter, member.address);
  choose(member.datacenter, now);
}

void PrimaryManagers::told(const wire::NodeIdentity& member, const wire::ManagerHeartbeat& heartbeat, MonoTime now) {
  const auto manager = managers_.find(member.address);
  if (manager == managers_.end()) return;
  manager->second.identity = member;
  manager->second.heartbeat = heartbeat;
  Datacenter& here = datacenter(member.datacenter);
  const bool was_leader = here.leader && here.leader->address == member.address;
  if (heartbeat.is_leader && heartbeat.term >= here.term) {
    const bool same = was_leader && heartbeat.term == here.term;
    here.term = heartbeat.term;
    if (!same) set_leader(member.datacenter, here, member);
  } else if (was_leader) {
    set_leader(member.datacenter, here, std::nullopt);
  }
  choose(member.datacenter, now);
}

void PrimaryManagers::failed(const wire::NodeAddress& manager, MonoTime now) {
  const auto known = managers_.find(manager);
  if (known == managers_.end()) return;
  const std::string name = known->second.identity.datacenter;
  datacenter(name).choice.failed(manager, now);
  choose(name, now);
}

void PrimaryManagers::look(MonoTime now) {
  if (looked_at_ && now < *looked_at_ + probe_interval_) return;
  const bool did_not_run = looked_at_ && now > *looked_at_ + kLateLook * probe_interval_;
  looked_at_ = now;
  if (did_not_run) {
    for (auto& [address, manager] : managers_)
      if (manager.heard_at) manager.heard_at = now;
  }
  if (self_.role == wire::NodeRole::kGate) miss_the_silent(now);
  choose_all(now);
}

// The time in which every member is probed once, and thus answers.
Duration PrimaryManagers::round() const {
  return probe_interval_ * (static_cast<std::int64_t>(membership_.present_count()) + 1);
}

Duration PrimaryManagers::silence_max() const {
  const Duration silence = std::max(kSilentIntervalsMin * probe_interval_, kSilentRounds * round());
  return Duration(std::llround(static_cast<double>(silence.count()) * membership_.health_multiplier()));
}

// Suspects it for its datacenter only: the machine may be alive and the path to it slow (AD30-INT-8).
void PrimaryManagers::miss_the_silent(MonoTime now) {
  const Duration silence = silence_max();
  for (auto& [address, manager] : managers_) {
    if (manager.missed || !manager.heard_at || now - *manager.heard_at <= silence) continue;
    manager.missed = membership_.suspect_job(manager.identity.datacenter, address, self_.address, now);
  }
}

void PrimaryManagers::choose_all(MonoTime now) {
  for (const auto& [name, here] : datacenters_) choose(name, now);
}

void PrimaryManagers::choose(const std::string& name, MonoTime now) {
  Datacenter& here = datacenter(name);
  const auto reason = here.choice.choose(candidates(name, now), membership_.health_multiplier(), now);
  if (reason) news_.push_back(PrimaryChanged{.datacenter = name, .manager = here.choice.current(), .reason = *reason});
}

std::vector<PeerCandidate> PrimaryManagers::candidates(const std::string& name, MonoTime now) const {
  std::vector<PeerCandidate> found;
  for (const auto& [address, manager] : managers_) {
    if (manager.identity.datacenter != name) continue;
    if (self_.role == wire::NodeRole::kGate && !membership_.is_alive_for_job(name, address)) continue;
    const auto member = membership_.member(address, now);
    if (!member) continue;
    PeerCandidate candidate{.identity = manager.identity,
                            .bucket = HealthBucket::kDegraded,
                            .heartbeat_age = now - manager.heard_at.value_or(manager.up_since),
                            .heartbeat_period = round(),
                            .probes_fail = manager.missed || member->state == membership::MemberState::kSuspect,
                            .rtt = member->rtt,
                            .available_cores = 0,
                            .queue_depth = 0};
    if (manager.heartbeat) {
      candidate.bucket = bucket_of(*manager.heartbeat);
      candidate.available_cores = manager.heartbeat->available_cores;
      candidate.queue_depth = manager.heartbeat->active_workflows;
    }
    found.push_back(std::move(candidate));
  }
  return found;
}

void PrimaryManagers::set_leader(const std::string& name, Datacenter& here, std::optional<wire::NodeIdentity> leader) {
  here.leader = std::move(leader);
  news_.push_back(LeaderLearned{.datacenter = name, .leader = here.leader, .term = here.term});
}

std::vector<PrimaryView> PrimaryManagers::view() const {
  std::vector<PrimaryView> rows;
  rows.reserve(datacenters_.size());
  for (const auto& [name, here] : datacenters_) {
    rows.push_back({.datacenter = name,
                    .primary = here.choice.current(),
                    .leader = here.leader,
                    .term = here.term,
                    .coordinate_unaware = here.choice.coordinate_unaware()});
  }
  return rows;
}

}  // namespace hyperscale::cluster

#include "membership/detection/global_layer.h"

#include <algorithm>
#include <tuple>

namespace hyperscale::membership {

GlobalLayer::GlobalLayer(const DetectionConfig& config, DetectorStats& stats, MonoTime start)
    : config_(config), stats_(stats), wheel_(config.wheel, start, config.mutations.wheel_clamps_long_deadlines) {}

bool GlobalLayer::suspect(const wire::NodeAddress& node, const Suspicion::Doubt& doubt) {
  if (dead_.contains(node)) return false;
  const auto known = suspects_.find(node);
  if (known != suspects_.end()) {
    const wire::Incarnation suspected = known->second.suspicion.incarnation();
    if (doubt.incarnation <= suspected) return confirm(node, doubt.incarnation, doubt.from, doubt.since);
    drop(known);
  }
  if (!put(node, Suspicion(doubt))) return false;
  ++stats_.global_suspicions;
  return true;
}

bool GlobalLayer::confirm(const wire::NodeAddress& node, wire::Incarnation incarnation, const wire::NodeAddress& from,
                          MonoTime now) {
  const auto known = suspects_.find(node);
  if (known == suspects_.end() || incarnation != known->second.suspicion.incarnation()) return false;
  auto& [suspicion, in_wheel] = known->second;
  const bool heard = suspicion.confirm(from, now, config_.mutations);
  wheel_.move_earlier(in_wheel, suspicion.deadline());
  if (config_.mutations.confirmations_postpone) {
    wheel_.remove(in_wheel);
    in_wheel = wheel_.insert(node, suspicion.deadline()).value_or(Wheel::Handle{});
  }
  return heard;
}

bool GlobalLayer::shorten_suspicion(const wire::NodeAddress& node, MonoTime deadline) {
  const auto known = suspects_.find(node);
  if (known == suspects_.end() || !known->second.suspicion.shorten_to(deadline)) return false;
  wheel_.move_earlier(known->second.in_wheel, deadline);
  return true;
}

bool GlobalLayer::refute(const wire::NodeAddress& node, wire::Incarnation incarnation) {
  const auto known = suspects_.find(node);
  if (known == suspects_.end() || !is_fresher(incarnation, known->second.suspicion.incarnation())) return false;
  drop(known);
  ++stats_.global_refutations;
  return true;
}

bool GlobalLayer::declare_dead(const wire::NodeAddress& node, wire::Incarnation incarnation, MonoTime now) {
  if (const auto known = dead_.find(node); known != dead_.end()) {
    known->second.incarnation = std::max(known->second.incarnation, incarnation);
    return false;
  }
  const auto known = suspects_.find(node);
  if (known != suspects_.end()) {
    if (incarnation < known->second.suspicion.incarnation()) return false;
    drop(known);
  }
  record_death(node, incarnation, now);
  return true;
}

bool GlobalLayer::revive(const wire::NodeAddress& node, wire::Incarnation incarnation) {
  const auto known = dead_.find(node);
  if (known == dead_.end() || !is_fresher(incarnation, known->second.incarnation)) return false;
  forget_death(node);
  return true;
}

void GlobalLayer::forget(const wire::NodeAddress& node) {
  if (const auto known = suspects_.find(node); known != suspects_.end()) drop(known);
  forget_death(node);
}

void GlobalLayer::clear() {
  wheel_.clear();
  suspects_.clear();
  dead_.clear();
  dead_by_age_.clear();
}

std::vector<GlobalDeath> GlobalLayer::expire(MonoTime now) {
  std::vector<GlobalDeath> deaths;
  for (const auto& due : wheel_.advance(now)) {
    const auto known = suspects_.find(due.key);
    if (known == suspects_.end()) continue;
    const Suspicion& suspicion = known->second.suspicion;
    deaths.push_back({.node = due.key,
                      .incarnation = suspicion.incarnation(),
                      .suspected_at = suspicion.since(),
                      .deadline = suspicion.deadline(),
                      .confirmations = suspicion.confirmations()});
    suspects_.erase(known);
    record_death(due.key, deaths.back().incarnation, now);
  }
  stats_.global_deaths += deaths.size();
  std::sort(deaths.begin(), deaths.end(), [](const GlobalDeath& a, const GlobalDeath& b) {
    return std::tie(a.deadline, a.node) < std::tie(b.deadline, b.node);
  });
  return deaths;
}

std::vector<Anomaly> GlobalLayer::repair_wheel() {
  std::vector<Anomaly> found;
  if (wheel_.size() > suspects_.size()) {
    const std::size_t orphans = wheel_.retain([this](const auto& node) { return suspects_.contains(node); });
    stats_.orphans_cleared += orphans;
    found.push_back({Anomaly::Kind::kWheelOutOfStep, {}, orphans});
  }
  for (auto& [node, suspect] : suspects_) {
    if (wheel_.expiration(suspect.in_wheel) == suspect.suspicion.deadline()) continue;
    wheel_.remove(suspect.in_wheel);
    suspect.in_wheel = wheel_.insert(node, suspect.suspicion.deadline()).value_or(Wheel::Handle{});
    found.push_back({Anomaly::Kind::kWheelOutOfStep, node, 1});
  }
  return found;
}

void GlobalLayer::forget_old_deaths(MonoTime now) {
  while (!dead_by_age_.empty() && now - dead_by_age_.begin()->first > config_.dead_kept) {
    forget_death(wire::NodeAddress(dead_by_age_.begin()->second));
    ++stats_.dead_forgotten;
  }
}

bool GlobalLayer::describe(const wire::NodeAddress& node, NodeStatus& status) const {
  if (const auto known = dead_.find(node); known != dead_.end()) {
    status.global = Liveness::kDead;
    status.incarnation = known->second.incarnation;
    return true;
  }
  const auto known = suspects_.find(node);
  if (known == suspects_.end()) return false;
  status.global = Liveness::kSuspected;
  status.incarnation = known->second.suspicion.incarnation();
  status.deadline = known->second.suspicion.deadline();
  status.confirmations = known->second.suspicion.confirmations();
  return true;
}

bool GlobalLayer::is_fresher(wire::Incarnation said, wire::Incarnation known) const {
  return said > known || config_.mutations.refute_without_higher_incarnation;
}

bool GlobalLayer::put(const wire::NodeAddress& node, Suspicion suspicion) {
  auto handle = wheel_.insert(node, suspicion.deadline());
  if (!handle) {
    stats_.orphans_cleared += wheel_.retain([this](const auto& key) { return suspects_.contains(key); });
    handle = wheel_.insert(node, suspicion.deadline());
  }
  if (!handle) {
    ++stats_.refused_wheel_full;
    return false;
  }
  suspects_.insert_or_assign(node, Suspect{std::move(suspicion), *handle});
  return true;
}

void GlobalLayer::drop(std::map<wire::NodeAddress, Suspect>::iterator suspect) {
  wheel_.remove(suspect->second.in_wheel);
  suspects_.erase(suspect);
}

void GlobalLayer::record_death(const wire::NodeAddress& node, wire::Incarnation incarnation, MonoTime now) {
  dead_.insert_or_assign(node, Death{incarnation, now});
  dead_by_age_.insert({now, node});
  if (dead_.size() <= config_.limits.max_dead_nodes) return;
  forget_death(wire::NodeAddress(dead_by_age_.begin()->second));
  ++stats_.dead_forgotten;
}

void GlobalLayer::forget_death(const wire::NodeAddress& node) {
  const auto known = dead_.find(node);
  if (known == dead_.end()) return;
  dead_by_age_.erase({known->second.since, node});
  dead_.erase(known);
}

}  // namespace hyperscale::membership

// FailureDetector: decides in two layers whether a node is dead (AD-30). The global layer decides whether the machine
// is alive, with one timing wheel; the job layer whether it still answers for a job, with one schedule of polls. A node
// dead for one job may be alive for another; a node dead globally is dead for all, and its job suspicions are removed.
//
// A core in the sense of base/core.h with calls instead of events: the owner calls expire() at next_wake() and handles
// what it returns. Thread rule: one owner; `now` never goes backwards. Before start() and after stop() nothing is
// accepted and every node counts as alive. Failure: at a limit a new suspicion is refused (false) and counted; tracked
// ones continue.
//
// An incarnation higher than that of a suspicion comes from the node itself, which therefore was alive: such a
// suspicion is a new one with a new deadline. A lower one is stale and refused; an equal one confirms.
#pragma once

#include "base/time.h"
#include "membership/detection/detection_config.h"
#include "membership/detection/detector_values.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <memory>
#include <optional>

namespace hyperscale::membership {

class FailureDetector {
 public:
  explicit FailureDetector(const DetectionConfig& config);
  ~FailureDetector();
  FailureDetector(FailureDetector&&) noexcept;
  FailureDetector& operator=(FailureDetector&&) noexcept;

  // Lifecycle. Starting again after a stop is a bug of the owner.
  void start(MonoTime now);
  void stop();
  DetectorState state() const;

  // Cluster size and local health; applied to suspicions that start or are polled from now on. `members` includes this
  // node and the suspects. A job's count defaults to `members`; a job without members is an orphan.
  void set_members(std::size_t members);
  void set_health_multiplier(double multiplier);  // LocalHealth::multiplier()
  void set_job_members(const JobKey& job, std::size_t members);

  // Global layer. `true`: something changed.
  bool suspect_global(const Accusation& accusation, MonoTime now);
  bool confirm_global(const wire::NodeAddress& node, wire::Incarnation incarnation, const wire::NodeAddress& from,
                      MonoTime now);
  // The suspicion ends at `deadline`, if that is earlier.
  bool shorten_global(const wire::NodeAddress& node, MonoTime deadline);
  bool refute_global(const wire::NodeAddress& node, wire::Incarnation incarnation);
  // A death that others detected: recorded, and not reported again by expire(). False if it was known already.
  bool declare_global_death(const wire::NodeAddress& node, wire::Incarnation incarnation, MonoTime now);
  // The node is back with a higher incarnation than it died with: alive in both layers.
  bool clear_global_death(const wire::NodeAddress& node, wire::Incarnation incarnation);
  // The node left or was removed: both layers drop it.
  void forget(const wire::NodeAddress& node);

  // Job layer.
  bool suspect_job(const JobKey& job, const Accusation& accusation, MonoTime now);
  bool confirm_job(const JobKey& job, const wire::NodeAddress& node, wire::Incarnation incarnation,
                   const wire::NodeAddress& from, MonoTime now);
  bool refute_job(const JobKey& job, const wire::NodeAddress& node, wire::Incarnation incarnation);
  // The node answered this observer for the job: clears its suspicion or death in this job.
  bool answered_job(const JobKey& job, const wire::NodeAddress& node);
  // The job ended: how many suspicions and deaths of it were dropped.
  std::size_t clear_job(const JobKey& job);

  bool is_alive_global(const wire::NodeAddress& node) const;
  // False also for a node that is dead globally.
  bool is_alive_for_job(const JobKey& job, const wire::NodeAddress& node) const;
  // None for a node without suspicions.
  std::optional<NodeStatus> node_status(const wire::NodeAddress& node) const;

  Expired expire(MonoTime now);
  MonoTime next_wake() const;

  std::size_t global_suspicions() const;
  std::size_t job_entries() const;
  const DetectorStats& stats() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hyperscale::membership

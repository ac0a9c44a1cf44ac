// FailureDetector: decides in two layers whether a node is dead (AD-30). The global layer asks "is the machine alive" and
// keeps one timing wheel; the job layer asks "does it still answer for this job" and polls with one schedule. A node dead
// for one job may be well for another; a node dead globally is dead for all, and its job suspicions go with it.
//
// A core in the sense of base/core.h with calls instead of events: the owner calls expire() at next_wake() and carries out
// what it returns. Thread rule: one owner; `now` never goes backwards. Before start() and after stop() nothing is accepted
// and everybody counts as alive.
// Failure: at a limit a new suspicion is refused (false) and counted; what is tracked goes on.
//
// An incarnation higher than that of a suspicion comes from the node itself, which therefore was alive: such a suspicion is
// a new one with a new deadline. A lower one is stale and refused; an equal one confirms.
#pragma once

#include "base/strong_type.h"
#include "base/time.h"
#include "membership/detection/detection_config.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::membership {

// What the job layer is keyed by: a job's id, or at a gate a datacenter's.
using JobKey = StrongId<struct JobKeyTag, std::string>;

// Starting and stopping take no time in a core, so STARTING and STOPPING last only inside start() and stop().
enum class DetectorState : std::uint8_t { kCreated, kStarting, kRunning, kStopping, kStopped };

enum class Liveness : std::uint8_t { kAlive, kSuspected, kDead };

struct Accusation {
  wire::NodeAddress node;
  wire::NodeRole role = wire::NodeRole::kWorker;  // of the accused: it decides the timeouts
  wire::Incarnation incarnation;
  wire::NodeAddress from;
  // How long the suspicion lasts unconfirmed, from the peer's coordinates (AD35-TMO-1); the role's timeouts when absent.
  std::optional<Duration> timeout = std::nullopt;
};

struct GlobalDeath {
  wire::NodeAddress node;
  wire::Incarnation incarnation;
  MonoTime suspected_at;
  MonoTime deadline;
  std::size_t confirmations = 0;
  std::size_t job_entries_cleared = 0;

  bool operator==(const GlobalDeath&) const = default;
};

struct JobDeath {
  JobKey job;
  wire::NodeAddress node;
  wire::Incarnation incarnation;
  MonoTime suspected_at;

  bool operator==(const JobDeath&) const = default;
};

// The layers disagree in a way that somebody should look at.
struct Anomaly {
  enum class Kind : std::uint8_t {
    kJobEntriesOfDeadNode,  // cleared
    kDeadForEveryJob,       // in at least two jobs, and not even suspected globally: the owner may probe it
    kWheelOutOfStep,        // wheel and suspicions differ: mended
  };
  Kind kind = Kind::kJobEntriesOfDeadNode;
  wire::NodeAddress node;
  std::size_t entries = 0;

  bool operator==(const Anomaly&) const = default;
};

// Deaths by deadline, then by key; of a node that died globally no job death is told in the same step.
struct Expired {
  std::vector<GlobalDeath> global;
  std::vector<JobDeath> job;
  std::vector<Anomaly> anomalies;

  bool empty() const { return global.empty() && job.empty() && anomalies.empty(); }
};

struct NodeStatus {
  struct Job {
    JobKey job;
    Liveness liveness = Liveness::kSuspected;
    bool operator==(const Job&) const = default;
  };
  Liveness global = Liveness::kAlive;
  wire::Incarnation incarnation;  // of the suspicion or death; zero when alive globally
  std::optional<MonoTime> deadline;  // of the global suspicion
  std::size_t confirmations = 0;
  std::vector<Job> jobs;  // ordered by job

  bool operator==(const NodeStatus&) const = default;
};

struct DetectorStats {
  std::uint64_t global_suspicions = 0;
  std::uint64_t global_refutations = 0;
  std::uint64_t global_deaths = 0;
  std::uint64_t job_suspicions = 0;
  std::uint64_t job_refutations = 0;
  std::uint64_t job_deaths = 0;
  std::uint64_t job_polls = 0;
  std::uint64_t refused_wheel_full = 0;
  std::uint64_t refused_job_full = 0;
  std::uint64_t refused_total_full = 0;
  std::uint64_t dead_forgotten = 0;  // past dead_kept or max_dead_nodes
  std::uint64_t orphans_cleared = 0;
  std::uint64_t reconciliations = 0;
  std::uint64_t anomalies = 0;
};

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

  // What the surroundings are like now; counts for suspicions that start or are polled from here on. `members` includes this
  // node and the suspects. A job's count defaults to `members`; a job without members is an orphan.
  void set_members(std::size_t members);
  void set_health_multiplier(double multiplier);  // LocalHealth::multiplier()
  void set_job_members(const JobKey& job, std::size_t members);

  // Global layer. `true`: something changed.
  bool suspect_global(const Accusation& accusation, MonoTime now);
  bool confirm_global(const wire::NodeAddress& node, wire::Incarnation incarnation, const wire::NodeAddress& from,
                      MonoTime now);
  bool refute_global(const wire::NodeAddress& node, wire::Incarnation incarnation);
  // A death that others found: recorded, and not told again by expire(). False if it was known already.
  bool declare_global_death(const wire::NodeAddress& node, wire::Incarnation incarnation, MonoTime now);
  // The node is back with a higher incarnation than it died with: alive in both layers.
  bool clear_global_death(const wire::NodeAddress& node, wire::Incarnation incarnation);
  // The node left or was reaped: nothing is kept about it in either layer.
  void forget(const wire::NodeAddress& node);

  // Job layer.
  bool suspect_job(const JobKey& job, const Accusation& accusation, MonoTime now);
  bool confirm_job(const JobKey& job, const wire::NodeAddress& node, wire::Incarnation incarnation,
                   const wire::NodeAddress& from);
  bool refute_job(const JobKey& job, const wire::NodeAddress& node, wire::Incarnation incarnation);
  // The job ended: how many suspicions and deaths of it were dropped.
  std::size_t clear_job(const JobKey& job);

  bool is_alive_global(const wire::NodeAddress& node) const;
  // False also for a node that is dead globally.
  bool is_alive_for_job(const JobKey& job, const wire::NodeAddress& node) const;
  // None for a node about which nothing is suspected.
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

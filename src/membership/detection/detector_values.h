// Inputs and outputs of the failure detector: accusations, deaths, anomalies, status, counters. Plain values; any
// thread may use them.
#pragma once

#include "base/strong_type.h"
#include "base/time.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::membership {

// Key of the job layer: a job's id, or at a gate a datacenter's.
using JobKey = StrongId<struct JobKeyTag, std::string>;

// Starting and stopping take no time in a core: STARTING and STOPPING last only inside start() and stop().
enum class DetectorState : std::uint8_t { kCreated, kStarting, kRunning, kStopping, kStopped };

enum class Liveness : std::uint8_t { kAlive, kSuspected, kDead };

struct Accusation {
  wire::NodeAddress node;
  wire::NodeRole role = wire::NodeRole::kWorker;  // of the accused: selects the timeouts
  wire::Incarnation incarnation;
  wire::NodeAddress from;
  // How long a global suspicion lasts unconfirmed, by the peer's coordinates (AD35-TMO-1), local health included; the
  // role's timeouts when absent. The job layer has its own, shorter ones.
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
  MonoTime deadline;

  bool operator==(const JobDeath&) const = default;
};

// Inconsistencies between the layers.
struct Anomaly {
  enum class Kind : std::uint8_t {
    kJobEntriesOfDeadNode,  // cleared
    kDeadForEveryJob,       // in at least two jobs, not suspected globally: the owner may probe it. Reported once
    kWheelOutOfStep,        // wheel and suspicions differed: repaired
  };
  Kind kind = Kind::kJobEntriesOfDeadNode;
  wire::NodeAddress node;
  std::size_t entries = 0;

  bool operator==(const Anomaly&) const = default;
};

// Deaths by deadline, then by key; for a node that died globally no job death is reported in the same step.
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
  wire::Incarnation incarnation;     // of the suspicion or death; zero when alive globally
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
  std::uint64_t job_counts_ignored = 0;  // set_job_members() past max_jobs
  std::uint64_t dead_forgotten = 0;      // past dead_kept or max_dead_nodes
  std::uint64_t orphans_cleared = 0;
  std::uint64_t reconciliations = 0;
  std::uint64_t anomalies = 0;

  // Suspicions refused at a limit (AD30-LIM-1).
  std::uint64_t refused() const { return refused_wheel_full + refused_job_full + refused_total_full; }
};

}  // namespace hyperscale::membership

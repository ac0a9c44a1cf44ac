// JobLayer: nodes suspected or dead for a single job. One schedule of next-poll times serves all suspicions; a
// suspicion with little time left is polled more often. Private to the failure detector.
//
// Thread rule: one owner. Invariant: each suspected entry has one place in the schedule, a dead one has none.
// Failure: at a limit the owner clears orphans and retries; if still full, the suspicion is refused and counted.
#pragma once

#include "base/time.h"
#include "membership/detection/detection_config.h"
#include "membership/detection/detector_values.h"
#include "membership/detection/suspicion.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace hyperscale::membership {

// Time until the next poll of a suspicion with this much time left, without local health.
Duration poll_interval(Duration remaining, const PollConfig& config);

// Environment of the detector at the time of a call.
struct Surroundings {
  std::size_t members = 1;
  double health_multiplier = 1;
};

class JobLayer {
 public:
  JobLayer(const DetectionConfig& config, DetectorStats& stats);

  void set_members(const JobKey& job, std::size_t members);

  bool suspect(const JobKey& job, const Accusation& accusation, const Surroundings& around, MonoTime now);
  bool confirm(const JobKey& job, const wire::NodeAddress& node, wire::Incarnation incarnation,
               const wire::NodeAddress& from, MonoTime now);
  bool refute(const JobKey& job, const wire::NodeAddress& node, wire::Incarnation incarnation);
  // The node itself answered for the job: no incarnation is needed.
  bool answered(const JobKey& job, const wire::NodeAddress& node);
  std::size_t clear_job(const JobKey& job);
  std::size_t clear_node(const wire::NodeAddress& node);
  void clear();

  std::vector<JobDeath> poll(const Surroundings& around, MonoTime now);
  MonoTime next_wake() const { return schedule_.empty() ? MonoTime::max() : schedule_.begin()->first.first; }

  // Drops entries of nodes that `is_gone` and of jobs without members; how many per node.
  std::map<wire::NodeAddress, std::size_t> clear_orphans(const std::function<bool(const wire::NodeAddress&)>& is_gone);
  // Nodes that are dead in every job that has an entry of them, in at least two, with the number of jobs.
  std::map<wire::NodeAddress, std::size_t> dead_everywhere() const;

  bool is_dead(const JobKey& job, const wire::NodeAddress& node) const;
  bool is_full(const JobKey& job) const;
  std::size_t entries() const { return total_; }
  std::vector<NodeStatus::Job> describe(const wire::NodeAddress& node) const;

 private:
  using PollAt = std::pair<MonoTime, std::uint64_t>;  // the number keeps equal times in order of arrival
  struct Entry {
    Suspicion suspicion;
    wire::NodeRole role;
    double health_multiplier;         // when the suspicion began
    std::optional<PollAt> next_poll;  // none: dead
  };
  struct Job {
    std::optional<std::size_t> members;
    std::map<wire::NodeAddress, Entry> entries;
  };
  struct Polled {
    JobKey job;
    wire::NodeAddress node;
  };

  Suspicion::Doubt doubt_of(const Accusation& accusation, const Job& job, const Surroundings& around,
                            MonoTime now) const;
  SuspicionTimeouts timeouts_of(const Entry& entry, std::size_t members) const;
  void schedule(const JobKey& job, const wire::NodeAddress& node, Entry& entry, const Surroundings& around,
                MonoTime now);
  void unschedule(Entry& entry);
  Entry* find(const JobKey& job, const wire::NodeAddress& node);
  void erase(Job& job, std::map<wire::NodeAddress, Entry>::iterator entry);
  void drop_empty_jobs();
  bool admits(const JobKey& job);

  const DetectionConfig& config_;
  DetectorStats& stats_;
  std::map<JobKey, Job> jobs_;
  std::map<PollAt, Polled> schedule_;
  std::uint64_t polls_scheduled_ = 0;
  std::size_t total_ = 0;
};

}  // namespace hyperscale::membership

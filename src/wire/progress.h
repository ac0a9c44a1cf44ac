// Progress of a workflow and a job, in messages between nodes (MSG-TCP-7 to -9).
//
// Plain values; any thread. Limits are those of the messages that carry them, see state_sync.h. Ids are visible ASCII;
// names may be any text without control characters. Times are in seconds, `timestamp_s` on the sender's own monotonic
// clock.
#pragma once

#include "wire/status_names.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::wire {

inline constexpr std::size_t kProgressIdBytesMax = 128;
inline constexpr std::size_t kProgressNameBytesMax = 256;
inline constexpr std::size_t kStepsPerWorkflowMax = 1024;
inline constexpr std::size_t kAssignedCoresMax = 4096;
inline constexpr std::size_t kWorkflowsPerJobMax = 1024;

struct StepStats {
  std::string step_name;
  std::uint64_t completed_count = 0;
  std::uint64_t failed_count = 0;
  std::uint64_t total_count = 0;

  bool operator==(const StepStats&) const = default;
};

struct WorkflowProgress {
  std::string job_id;
  std::string workflow_id;
  std::string workflow_name;
  WorkflowStatus status = WorkflowStatus::kPending;
  std::uint64_t completed_count = 0;
  std::uint64_t failed_count = 0;
  double rate_per_second = 0;
  double elapsed_s = 0;
  std::vector<StepStats> step_stats = {};
  double timestamp_s = 0;
  std::vector<std::uint32_t> assigned_cores = {};

  bool operator==(const WorkflowProgress&) const = default;
};

struct JobProgress {
  std::string job_id;
  std::string datacenter;
  JobStatus status = JobStatus::kSubmitted;
  std::vector<WorkflowProgress> workflows = {};
  std::uint64_t total_completed = 0;
  std::uint64_t total_failed = 0;
  double overall_rate = 0;
  double elapsed_s = 0;
  double timestamp_s = 0;

  bool operator==(const JobProgress&) const = default;
};

}  // namespace hyperscale::wire

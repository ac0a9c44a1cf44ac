// Submission: a job as it reaches a manager, decoded.
//
// Plain value; any thread.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "manager/worker_loss.h"
#include "plan/job.h"
#include "wire/jobs/dispatch.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::manager {

// Added to the planned time of a job without a timeout of its own; and that of a job bounded by counts only.
inline constexpr Duration kTimeoutSlack = 120s;
inline constexpr Duration kTimeoutByCount = 24h;
inline constexpr Duration kJobTimeoutMax = 24h * 365;

// One workflow in the form that workers get: the manifest, and the contents that it names.
struct WorkflowContent {
  SharedBytes manifest;
  std::vector<wire::BlobName> blobs;
};

struct Submission {
  std::string job;     // made by the client
  std::string tenant;  // from the client's token
  std::string key;     // idempotency key; empty: none
  wire::Sha256 digest{};
  wire::BlobName manifest;                 // of the whole job
  plan::Job plan;                          // without the contents of files
  std::vector<WorkflowContent> workflows;  // in the order of the plan
  Duration timeout{};                      // of the execution; zero: by the plan
  OnWorkerLoss on_worker_loss = OnWorkerLoss::kDefault;
  Duration stop_without_manager_after = 120s;
  std::vector<std::string> datacenters;  // all that run the job
  std::uint32_t datacenter_index = 0;
  std::uint32_t datacenter_count = 1;
  bool split = false;            // users and rate are divided over the datacenters
  std::uint64_t gate_fence = 0;  // of the gate that owns the job
};

// kInvalidArgument with one sentence if it cannot be a job: id, texts, contents, times.
Status check(const Submission& submission);

// The timeout of the execution: as submitted, or the planned time of all layers, graceful stops and kTimeoutSlack.
Duration timeout_of(const Submission& submission);

}  // namespace hyperscale::manager

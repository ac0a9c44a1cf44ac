// LoadChanges: which workflows a change of the load means, whether it can be done, and the record that goes into the
// results.
//
// Pure. One thread. A change that cannot be done is kInvalidArgument with one sentence and leaves everything as it was.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "jobs/job_workflows.h"
#include "plan/load_command.h"
#include "results/run_result.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::jobs {

class LoadChanges {
 public:
  // The workflows that are to follow it, at least one. A pause is for all that can be paused; users and rates belong to
  // one workflow.
  static Result<std::vector<std::size_t>> meant_by(const plan::LoadRequest& asked, const JobWorkflows& workflows,
                                                   const UsersFit& users_fit);
  // The one that can be stopped.
  static Result<std::size_t> to_stop(std::string_view workflow, const JobWorkflows& workflows);

  // Beyond results::kChangesMax none is kept.
  void record(Duration at, std::string what, std::string workflow);
  const std::vector<results::ChangeRecord>& records() const { return records_; }

 private:
  std::vector<results::ChangeRecord> records_;
};

}  // namespace hyperscale::jobs

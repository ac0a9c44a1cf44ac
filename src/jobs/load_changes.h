// LoadChanges: selects the workflows that a load change applies to, checks whether it can be done, and keeps the record
// for the results.
//
// Pure. One thread. A change that cannot be done returns kInvalidArgument with one sentence and alters nothing.
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
  // The workflows that the request applies to, at least one. A pause applies to all that can be paused; users and rates
  // need exactly one workflow.
  static Result<std::vector<std::size_t>> meant_by(const plan::LoadRequest& asked, const JobWorkflows& workflows,
                                                   const UsersFit& users_fit);
  // Index of the named workflow if it can be stopped.
  static Result<std::size_t> to_stop(std::string_view workflow, const JobWorkflows& workflows);

  // Fails when results::kChangesMax leaves no room for a change of so many workflows. A resume always has room: what is
  // paused must be able to go on. So a share gets at most kChangesMax changes and one resume.
  Status has_room(plan::LoadChangeKind kind, std::size_t workflows) const;
  // Drops a resume or stop beyond results::kChangesMax.
  void record(Duration at, std::string what, std::string workflow);
  const std::vector<results::ChangeRecord>& records() const { return records_; }

 private:
  std::vector<results::ChangeRecord> records_;
};

}  // namespace hyperscale::jobs

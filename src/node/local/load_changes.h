// LoadChanges: carries out what was asked of a run's load, on the workflows that are meant, and keeps the record that
// goes into the results.
//
// Thread rule: one thread. `runs` outlives it. A change that cannot be done is kInvalidArgument with one sentence and
// leaves everything as it was.
#pragma once

#include "base/result.h"
#include "node/local/live_run.h"
#include "plan/load_command.h"
#include "results/run_result.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::node {

class LoadChanges {
 public:
  explicit LoadChanges(const WorkflowRuns& runs) : runs_(runs) {}

  // `at` is the time since counting began, for the record.
  Status apply(const plan::LoadRequest& asked, MonoTime now, Duration at);
  // Stops one workflow in order; the others go on.
  Status stop(std::string_view workflow, Duration at);
  // What was applied but cannot be done in full, and why; empty when it is.
  std::string shortfall(const plan::LoadRequest& asked) const;
  const std::vector<results::ChangeRecord>& records() const { return records_; }

 private:
  // A pause is for all that can be paused; users and rates belong to one workflow.
  Result<std::vector<WorkflowRun*>> meant_by(const plan::LoadRequest& asked) const;
  tl::unexpected<Error> unknown(std::string_view why) const;
  void record(Duration at, std::string what, const WorkflowRun& run);

  const WorkflowRuns& runs_;
  std::vector<results::ChangeRecord> records_;
};

}  // namespace hyperscale::node

// JobContext: the values that the completed workflows of a job provide, and which of them another workflow gets
// (CTX-API-2 to -4). Only the leader of the job writes it, once per workflow, when the workflow has completed.
//
// Several shares may provide the same key: the value of the share with the lowest number counts. Values have Lamport
// times: that of the share, or the clock of the job, which is then greater than all it has seen. One thread.
#pragma once

#include "plan/job.h"
#include "wire/jobs/dispatch.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hyperscale::manager {

class JobContext {
 public:
  // The values of the shares of a completed workflow, in the order of their numbers.
  void set(const std::string& workflow, const std::vector<std::vector<wire::ContextValue>>& shares);

  // For a workflow: values of the workflows it depends on, where the provider names it.
  std::vector<wire::ContextValue> for_workflow(const plan::Job& job, std::uint32_t workflow) const;
  // All of them, ordered by workflow and key.
  std::vector<wire::ContextValue> all() const;

 private:
  struct Value {
    std::string json;
    std::uint64_t timestamp = 0;
  };
  std::map<std::string, std::map<std::string, Value>> values_;  // by workflow and key
  std::uint64_t clock_ = 0;
};

}  // namespace hyperscale::manager

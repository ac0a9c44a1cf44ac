// Dependents: which workflows of a job depend on which, by their numbers; what is cancelled, skipped or queued again
// when one fails, and in which order.
//
// Plain value; any thread. Workflows whose dependencies form a circle keep the order in which they are given.
#pragma once

#include "plan/job.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hyperscale::jobs {

class Dependents {
 public:
  // By workflow: the workflows that it depends on. REQUIRES: each number is one of them.
  explicit Dependents(std::vector<std::vector<std::uint32_t>> needs);
  // REQUIRES: each dependency is a workflow of the job, as plan::schedule_of() checks.
  explicit Dependents(const plan::Job& job);

  // Directly or through others, ascending; without `workflow` itself. REQUIRES: it is one of them.
  std::vector<std::uint32_t> of(std::uint32_t workflow) const;
  bool depends(std::uint32_t workflow, std::uint32_t on) const;
  // Dependencies before their dependents, as far as both are given; otherwise in the given order.
  std::vector<std::uint32_t> in_order(std::span<const std::uint32_t> workflows) const;

  std::size_t size() const { return needs_.size(); }

 private:
  std::vector<std::vector<std::uint32_t>> needs_;
};

}  // namespace hyperscale::jobs

// Jobs out of a seed, for tests of byte forms.
#pragma once

#include "plan/job.h"
#include "some_plan.h"

namespace hyperscale::plan {

// Every field differs from its default in most jobs, so that a forgotten field is found.
inline Job some_job(std::uint64_t seed) {
  Prng prng(seed);
  Job job;
  job.name = some_text(prng, 20);
  for (auto n = prng.below(4); n > 0; --n) {
    Workflow& workflow = job.workflows.emplace_back();
    workflow.plan = some_plan(prng.next());
    workflow.priority = static_cast<Priority>(prng.below(5));
    workflow.is_test = some_flag(prng);
    for (auto m = prng.below(3); m > 0; --m) workflow.depends.push_back(some_text(prng, 10));
    workflow.start_offset = some_time(prng);
  }
  return job;
}

}  // namespace hyperscale::plan

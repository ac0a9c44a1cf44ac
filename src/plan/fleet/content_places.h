// The places of a job that may have a content of their own, in their order: for each workflow its files, then the
// bodies of its requests. Pure; any thread.
#pragma once

#include "plan/job.h"

#include <cstddef>
#include <cstdint>

namespace hyperscale::plan {

// Calls visit(place, content, file) for each, with a `const Blob* file` that is nullptr for a body.
template <typename Workflows, typename Visit>
void each_place(Workflows& workflows, const Visit& visit) {
  std::uint32_t place = 0;
  for (auto& workflow : workflows) {
    for (auto& file : workflow.plan.script.files) visit(place++, file.content, &file);
    for (auto& step : workflow.plan.steps)
      for (auto& request : step.requests) visit(place++, request.body, nullptr);
  }
}

inline std::uint32_t places_of(const Workflow& workflow) {
  std::size_t places = workflow.plan.script.files.size();
  for (const Step& step : workflow.plan.steps) places += step.requests.size();
  return static_cast<std::uint32_t>(places);
}

}  // namespace hyperscale::plan

#include "report/failure_list.h"

#include "report/metric_text.h"

#include <algorithm>

namespace hyperscale::report {

std::vector<ListedFailure> listed_failures(const results::RunResult& result) {
  std::vector<ListedFailure> all;
  const auto count = [](const ListedFailure& one) { return one.failure.count; };
  for (const results::StepResult& step : result.steps) {
    // Inserted after equally frequent ones: the order of the steps is kept.
    for (const results::Failure& failure : step.failures)
      all.insert(std::ranges::upper_bound(all, failure.count, std::ranges::greater(), count),
                 {failure, step_label(step)});
  }
  return all;
}

}  // namespace hyperscale::report

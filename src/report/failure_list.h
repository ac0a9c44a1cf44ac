// The examples of failures of all steps together, the most frequent first. Pure function, any thread.
#pragma once

#include "results/run_result.h"

#include <string>
#include <vector>

namespace hyperscale::report {

struct ListedFailure {
  results::Failure failure;
  std::string step;
};

std::vector<ListedFailure> listed_failures(const results::RunResult& result);

}  // namespace hyperscale::report

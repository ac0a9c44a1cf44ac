// Runs models: one that must hold for every schedule, one with a planted bug that must be found.
//
// A search is exhaustive: it ends when every schedule of the scenario, and every value that a relaxed load may return,
// was tried. Each function prints one line and returns whether the outcome is the wanted one.
#pragma once

#include "relacy_sync.h"

#include <iostream>
#include <sstream>
#include <string_view>

namespace hyperscale::models {

template <typename Suite>
bool every_schedule_holds(std::string_view name) {
  rl::test_params params;
  std::ostringstream report, progress;
  params.search_type = rl::sched_full;
  params.output_stream = &report;
  params.progress_stream = &progress;
  rl::simulate<Suite>(params);
  if (params.test_result == rl::test_result_success) {
    std::cout << "holds   " << name << ": " << params.stop_iteration + 1 << " schedules" << std::endl;
    return true;
  }
  std::cout << "BROKEN  " << name << ": " << rl::test_result_str(params.test_result) << '\n'
            << report.str() << std::endl;
  return false;
}

template <typename Suite>
bool planted_bug_is_found(std::string_view name, rl::test_result_e expected) {
  rl::test_params params;
  std::ostringstream report, progress;
  params.search_type = rl::sched_full;
  params.output_stream = &report;
  params.progress_stream = &progress;
  rl::simulate<Suite>(params);
  const bool found = params.test_result == expected;
  std::cout << (found ? "found   " : "MISSED  ") << name << ": " << rl::test_result_str(params.test_result)
            << " in schedule " << params.stop_iteration + 1 << std::endl;
  return found;
}

}  // namespace hyperscale::models

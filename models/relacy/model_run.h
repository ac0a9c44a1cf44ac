// Runs models: one that must hold for every schedule, one with a planted bug that must be found.
//
// A search is exhaustive: it ends when every schedule of the scenario, and every value that a relaxed load may return,
// was tried. Scenarios that are too large for that are searched up to a number of forced switches between threads. Each
// function prints one line and returns whether the outcome is the wanted one.
#pragma once

#include "relacy_sync.h"

#include <array>
#include <iostream>
#include <ostream>
#include <streambuf>
#include <string_view>

namespace hyperscale::models {

inline constexpr unsigned kUnbounded = 0;

// What Relacy tells of a failure, as far as there is room. It allocates nothing: while a model fails, Relacy takes
// every allocation for one of the model's.
class Report : private std::streambuf {
 public:
  Report() : stream_(this) { setp(text_.data(), text_.data() + text_.size()); }
  std::ostream& stream() { return stream_; }
  std::string_view text() const { return {text_.data(), static_cast<std::size_t>(pptr() - text_.data())}; }

 private:
  int overflow(int character) override { return character; }  // dropped
  std::array<char, 1 << 16> text_{};
  std::ostream stream_;
};

template <typename Suite>
bool every_schedule_holds(std::string_view name, unsigned switches_max = kUnbounded) {
  rl::test_params params;
  Report report, progress;
  params.search_type = switches_max == kUnbounded ? rl::sched_full : rl::sched_bound;
  if (switches_max != kUnbounded) params.context_bound = switches_max;
  params.output_stream = &report.stream();
  params.progress_stream = &progress.stream();
  rl::simulate<Suite>(params);
  if (params.test_result == rl::test_result_success) {
    std::cout << "holds   " << name << ": " << params.stop_iteration + 1 << " schedules" << std::endl;
    return true;
  }
  std::cout << "BROKEN  " << name << ": " << rl::test_result_str(params.test_result) << '\n'
            << report.text() << std::endl;
  return false;
}

template <typename Suite>
bool planted_bug_is_found(std::string_view name, rl::test_result_e expected, unsigned switches_max = kUnbounded) {
  rl::test_params params;
  Report report, progress;
  params.search_type = switches_max == kUnbounded ? rl::sched_full : rl::sched_bound;
  if (switches_max != kUnbounded) params.context_bound = switches_max;
  params.output_stream = &report.stream();
  params.progress_stream = &progress.stream();
  rl::simulate<Suite>(params);
  const bool found = params.test_result == expected;
  std::cout << (found ? "found   " : "MISSED  ") << name << ": " << rl::test_result_str(params.test_result)
            << " in schedule " << params.stop_iteration + 1 << std::endl;
  return found;
}

}  // namespace hyperscale::models

// Metrics of scripts and names of steps, as text. Pure functions, any thread.
#pragma once

#include "base/time.h"
#include "results/run_result.h"

#include <string>

namespace hyperscale::report {

// Whole numbers in full, others in three digits: "1,234", "-12", "0.125".
std::string plain_number_text(double value);

// Main figure of a metric by its kind, and a remark.
struct MetricText {
  std::string value;   // "1,234", "93.1%"; "-" without values
  std::string remark;  // "20.6/s", "min 3, max 40", "1,149 of 1,234", "mean; p50 3, ..."
};
MetricText metric_text(const results::MetricResult& metric, Duration elapsed);

// "search"; a series named by a script also has its tags: "search{size=large}".
std::string step_label(const results::StepResult& step);

// A step of a script may measure nothing; tables of steps omit it.
bool was_measured(const results::StepResult& step);

}  // namespace hyperscale::report

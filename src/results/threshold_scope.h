// ThresholdScope: the part of a result that a threshold applies to, written as its prefix:
//
//   step:NAME:p99<200ms        one step, or calls of a script that have this name
//   call:NAME:p99<200ms        calls of a script: by their name, or without one by method and path ("GET /cart")
//   tag:NAME=VALUE:errors<1%   all steps with this tag together
//   check:NAME:rate>99%        one check
//   metric:NAME:p95<300        one metric of a script
//
// Names are those of the result: with several workflows "Workflow.step". Pure functions; any thread.
#pragma once

#include "base/result.h"
#include "results/run_result.h"

#include <string>
#include <string_view>

namespace hyperscale::results {

// All empty: the whole result. REQUIRES: at most one is set.
struct ThresholdScope {
  std::string step = {};
  std::string call = {};
  std::string check = {};
  std::string tag = {};  // "name=value" or "name:value"
  std::string metric = {};
  bool operator==(const ThresholdScope&) const = default;
};

// "step:NAME:", or empty for the whole result.
std::string scope_text(const ThresholdScope& scope);

struct ScopedCondition {
  ThresholdScope scope;
  std::string condition;  // "p99<200ms"
};
// Splits a threshold; one without a colon applies to the whole result. Fails with kInvalidArgument.
Result<ScopedCondition> split_scope(std::string_view text);

// The figures that a scope covers in a result. `found` is false if the scope does not exist in it.
struct ScopeView {
  bool found = true;
  Counts counts = {};
  Series series = {};
  CheckResult check = {};                // of the scope; without one the sum of all checks
  const MetricResult* metric = nullptr;  // of the scope; valid as long as the result
};
ScopeView view_of(const RunResult& result, const ThresholdScope& scope);

}  // namespace hyperscale::results

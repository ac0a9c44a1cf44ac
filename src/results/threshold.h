// Threshold: a condition on a result that decides the exit code: "p99<200ms", "errors<1%", "rate>=1000/s".
//
//   METRIC OP VALUE, where METRIC is one of
//     p50 p90 p95 p99 p99.9 p99.99 pNN.N max min mean          of duration; VALUE is a duration
//     ok.p99                                                   of the duration of good answers only
//     service.p99 connect.p99 tls.p99 first_byte.p99 lag.p99 ...  of another series
//     errors checks                                            VALUE is a percentage of requests, or a count
//     iterations_failed dropped                                VALUE is a percentage of iterations, or a count
//     requests rate                                            VALUE is a count, or a rate such as 1000/s
//   and OP is one of < <= > >= == !=
//
// A scope (threshold_scope.h) narrows it to a step, to all steps with a tag, to a check or to a metric of a script:
//   of a step or tag    the same figures, but for iterations_failed, dropped and lag
//   of a check          rate, passes or checks: how many passed, VALUE as that of errors
//   of a metric         p50 p95 pNN.N max min mean last sum (total) count; VALUE is a plain number, 300ms means 300.
//                       count of a counter is its sum. rate: a percentage of values that are not zero, or 10/s of the
//                       sum
//
// `checks` without a scope refers to checks of scripts if there are any, otherwise to the expectations on answers.
//
// Pure functions; any thread.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "results/run_result.h"
#include "results/threshold_scope.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::results {

struct Verdict {
  std::string threshold;  // as written, with its scope in front
  std::string actual;     // "213ms", "0.4%"; "no data"; "none" if the scope does not exist in the result
  bool passed = false;
  bool measured = true;  // false: the figure does not exist (yet), so it did not pass
};

// Fails with kInvalidArgument; the message lists what is valid, or suggests the nearest metric for a typo.
class Threshold {
 public:
  static Result<Threshold> parse(std::string_view text, const ThresholdScope& scope = {});
  Verdict judge(const RunResult& result) const;
  const std::string& text() const { return text_; }  // as in a Verdict
  const ThresholdScope& scope() const { return scope_; }

 private:
  enum class Unit : std::uint8_t { kDuration, kPercent, kCount, kRate, kNumber };
  enum class Comparison : std::uint8_t { kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kNotEqual };
  Status read_metric(std::string_view metric);
  Status read_comparison(std::string_view sign);
  Status read_value(std::string_view text);
  Status read_duration(std::string_view value);
  Status read_percent(std::string_view value);
  Status read_rate(std::string_view value);
  Status read_count(std::string_view value);
  Status read_number(std::string_view value);
  // nullopt if the result has no such figure.
  std::optional<double> actual_of(const RunResult& result, const ScopeView& view) const;
  std::optional<double> latency_of(const RunResult& result, const ScopeView& view) const;
  std::optional<double> share_of(const RunResult& result, const ScopeView& view) const;
  std::optional<double> metric_of(const RunResult& result, const MetricResult& metric) const;
  bool holds(double actual) const;
  std::string text_of(double actual) const;

  std::string text_;
  ThresholdScope scope_;
  std::string series_;  // "duration" unless named
  std::string metric_;
  double percentile_ = 0;
  Comparison comparison_ = Comparison::kLess;
  Unit unit_ = Unit::kDuration;
  double value_ = 0;  // ns, percent, count, per second or plain
};

// With a scope prefix, as parsed by split_scope(): "step:login:p99<200ms".
Result<Threshold> parse_scoped(std::string_view text);

// A threshold with the settings for running a test.
struct RunThreshold {
  Threshold threshold;
  bool abort_on_fail = false;  // the run ends as soon as it fails
  Duration delay{};            // minimum counted time before it may end the run
};

}  // namespace hyperscale::results

// Threshold: a condition on a result that decides the exit code: "p99<200ms", "errors<1%", "rate>=1000/s".
//
//   METRIC OP VALUE, where METRIC is one of
//     p50 p90 p95 p99 p99.9 p99.99 pNN.N max min mean          of duration; VALUE is a duration
//     service.p99 connect.p99 tls.p99 first_byte.p99 lag.p99 ...  of another series
//     errors checks dropped                                    VALUE is a percentage of requests (iterations), or a
//     count requests rate                                            VALUE is a count, or a rate such as 1000/s
//   and OP is one of < <= > >= == !=
//
// Pure functions; any thread.
#pragma once

#include "base/result.h"
#include "results/run_result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::results {

struct Verdict {
  std::string threshold;  // as written
  std::string actual;     // "213ms", "0.4%"
  bool passed = false;
};

// Fails with kInvalidArgument and a message that says what is understood, with the nearest metric for a typo.
class Threshold {
 public:
  static Result<Threshold> parse(std::string_view text);
  Verdict judge(const RunResult& result) const;
  const std::string& text() const { return text_; }

 private:
  enum class Unit : std::uint8_t { kDuration, kPercent, kCount, kRate };
  enum class Comparison : std::uint8_t { kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kNotEqual };
  Status read_metric(std::string_view metric);
  Status read_comparison(std::string_view sign);
  Status read_value(std::string_view text);
  Status read_duration(std::string_view value);
  Status read_percent(std::string_view value);
  Status read_rate(std::string_view value);
  Status read_count(std::string_view value);
  // Nothing when the result has no such figure.
  std::optional<double> actual_of(const RunResult& result) const;
  std::optional<double> latency_of(const RunResult& result) const;
  std::optional<double> share_of(const RunResult& result) const;
  bool holds(double actual) const;
  std::string text_of(double actual) const;

  std::string text_;
  std::string series_;  // "duration" unless named
  std::string metric_;
  double percentile_ = 0;
  Comparison comparison_ = Comparison::kLess;
  Unit unit_ = Unit::kDuration;
  double value_ = 0;  // ns, percent, count or per second
};

}  // namespace hyperscale::results

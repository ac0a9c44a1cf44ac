// Evaluates a threshold on a result; threshold.cpp parses its text.
#include "base/check.h"
#include "base/duration_text.h"
#include "results/figure_text.h"
#include "results/saturating.h"
#include "results/threshold.h"

#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace hyperscale::results {
namespace {

constexpr int kDigitsShown = 3;
constexpr int kDigitsMax = 15;

double percent(std::uint64_t part, std::uint64_t whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> per_second(double amount, Duration elapsed) {
  if (elapsed <= Duration::zero()) return std::nullopt;
  return amount / seconds(elapsed);
}

}  // namespace

std::optional<double> Threshold::latency_of(const RunResult& result, const ScopeView& view) const {
  const auto figure = [this](const SparseHistogram& histogram) -> std::optional<double> {
    if (histogram.empty()) return std::nullopt;
    const Duration value = metric_ == "max"    ? histogram.max()
                           : metric_ == "min"  ? histogram.min()
                           : metric_ == "mean" ? histogram.mean()
                                               : histogram.value_at_percentile(percentile_);
    return static_cast<double>(value.count());
  };
  if (series_ == "lag") return figure(result.lag);
  const Series& total = view.series;
  if (series_ == "ok") return figure(total.ok);
  if (series_ == "service") return figure(total.service);
  if (series_ == "connect") return figure(total.connect);
  if (series_ == "tls") return figure(total.tls);
  if (series_ == "first_byte") return figure(total.first_byte);
  return figure(total.duration);
}

std::optional<double> Threshold::share_of(const RunResult& result, const ScopeView& view) const {
  const Counts& counts = view.counts;
  const auto of = [&](Outcome outcome) { return counts.outcomes[static_cast<std::size_t>(outcome)]; };
  std::uint64_t part = counts.errors();
  std::uint64_t whole = counts.concluded();
  const bool of_scripts = !scope_.check.empty() || (scope_ == ThresholdScope() && !result.checks.empty());
  if (metric_ == "checks" && of_scripts) {
    part = view.check.passed;
    whole = saturating_add(part, view.check.failed);
  } else if (metric_ == "checks") {
    part = of(Outcome::kOk);
    const std::uint64_t unlike = saturating_add(of(Outcome::kStatus), of(Outcome::kBodyMismatch));
    whole = saturating_add(part, saturating_add(unlike, of(Outcome::kGraphql)));
  } else if (metric_ == "iterations_failed") {
    part = result.iterations_failed;
    whole = result.iterations;
  } else if (metric_ == "dropped") {
    part = result.dropped;
    whole = saturating_add(result.iterations, result.dropped);
  }
  if (unit_ == Unit::kCount) return static_cast<double>(part);
  if (whole == 0) return std::nullopt;
  return percent(part, whole);
}

// An empty sum is zero; other figures need a value.
std::optional<double> Threshold::metric_of(const RunResult& result, const MetricResult& metric) const {
  if (unit_ == Unit::kRate) return per_second(metric.sum(), result.elapsed);
  const bool counts = metric_ == "count" && metric.kind != MetricKind::kCounter;
  if (counts) return static_cast<double>(metric.count);
  if (metric_ == "sum" || metric_ == "count") return metric.sum();
  if (metric.count == 0) return std::nullopt;
  if (unit_ == Unit::kPercent) return percent(metric.nonzero, metric.count);
  if (metric_ == "min") return metric.min;
  if (metric_ == "max") return metric.max;
  if (metric_ == "last") return metric.last;
  if (metric_ == "mean") return metric.mean();
  if (metric.kind != MetricKind::kTrend) return std::nullopt;
  return metric.percentile(percentile_);
}

std::optional<double> Threshold::actual_of(const RunResult& result, const ScopeView& view) const {
  if (view.metric != nullptr) return metric_of(result, *view.metric);
  if (unit_ == Unit::kDuration) return latency_of(result, view);
  if (unit_ == Unit::kRate) return per_second(static_cast<double>(view.counts.requests()), result.elapsed);
  if (metric_ == "requests") return static_cast<double>(view.counts.requests());
  return share_of(result, view);
}

bool Threshold::holds(double actual) const {
  switch (comparison_) {
    case Comparison::kLess:
      return actual < value_;
    case Comparison::kLessEqual:
      return actual <= value_;
    case Comparison::kGreater:
      return actual > value_;
    case Comparison::kGreaterEqual:
      return actual >= value_;
    case Comparison::kEqual:
      return actual == value_;
    case Comparison::kNotEqual:
      return actual != value_;
  }
  UNREACHABLE("comparison {}", static_cast<int>(comparison_));
}

std::string Threshold::text_of(double actual) const {
  if (unit_ == Unit::kCount) return fmt::format("{:.0f}", actual);
  // In three digits 200.3ms would look as if "p99<=200ms" held; such a figure gets as many digits as necessary.
  const bool passed = holds(actual);
  for (int digits = kDigitsShown;; ++digits) {
    const double step = actual == 0 ? 1 : std::pow(10.0, std::floor(std::log10(std::abs(actual))) + 1 - digits);
    if (digits < kDigitsMax && holds(std::round(actual / step) * step) != passed) continue;
    if (unit_ == Unit::kDuration) return latency_text(actual, digits);
    if (unit_ == Unit::kNumber) return number_text(actual, digits);
    return number_text(actual, digits) + (unit_ == Unit::kPercent ? "%" : "/s");
  }
}

Verdict Threshold::judge(const RunResult& result) const {
  const ScopeView view = view_of(result, scope_);
  if (!view.found) return {.threshold = text_, .actual = "none", .passed = false, .measured = false};
  const std::optional<double> actual = actual_of(result, view);
  if (!actual) return {.threshold = text_, .actual = "no data", .passed = false, .measured = false};
  return {.threshold = text_, .actual = text_of(*actual), .passed = holds(*actual)};
}

}  // namespace hyperscale::results

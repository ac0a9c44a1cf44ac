#include "report/metric_text.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "base/number_text.h"

#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace hyperscale::report {

using results::MetricKind;

std::string plain_number_text(double value) {
  constexpr double kWholeMax = 1e15;
  if (value < 0) return "-" + plain_number_text(-value);
  const bool whole = value == std::floor(value) && value <= kWholeMax;
  return whole ? count_text(static_cast<std::uint64_t>(value)) : three_digits(value);
}

MetricText metric_text(const results::MetricResult& metric, Duration elapsed) {
  if (metric.count == 0) return {.value = "-", .remark = "no value"};
  const auto number = plain_number_text;
  switch (metric.kind) {
    case MetricKind::kCounter: {
      const double seconds = hyperscale::seconds(elapsed);
      return {.value = number(metric.sum()), .remark = seconds > 0 ? rate_text(metric.sum() / seconds) : ""};
    }
    case MetricKind::kGauge:
      return {.value = number(metric.last),
              .remark = fmt::format("min {}, max {}", number(metric.min), number(metric.max))};
    case MetricKind::kRate:
      return {.value = percent_text(metric.nonzero, metric.count),
              .remark = fmt::format("{} of {}", count_text(metric.nonzero), count_text(metric.count))};
    case MetricKind::kTrend:
      return {.value = number(metric.mean()),
              .remark = fmt::format("mean; p50 {}, p95 {}, p99 {}, max {}, of {}", number(metric.percentile(50)),
                                    number(metric.percentile(95)), number(metric.percentile(99)), number(metric.max),
                                    count_text(metric.count))};
  }
  UNREACHABLE("a kind of metric that does not exist");
}

std::string step_label(const results::StepResult& step) {
  if (!step.named || step.tags.empty()) return step.name;
  std::string tags;
  for (const auto& [name, value] : step.tags) tags += fmt::format("{}{}={}", tags.empty() ? "" : ", ", name, value);
  return fmt::format("{}{{{}}}", step.name, tags);
}

bool was_measured(const results::StepResult& step) {
  return step.counts.requests() != 0;
}

}  // namespace hyperscale::report

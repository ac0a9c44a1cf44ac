#include "report/chart_axis.h"

#include "base/duration_text.h"
#include "base/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

constexpr double kTicksWanted = 5;
constexpr double kDecadeToLog = 10;

// 1, 2 or 5 times a power of ten, at or above the value.
double round_step(double at_least) {
  const double decade = std::pow(10, std::floor(std::log10(at_least)));
  for (const double rung : {1.0, 2.0, 5.0}) {
    if (decade * rung >= at_least * (1 - 1e-9)) return decade * rung;
  }
  return decade * 10;
}

std::string compact(double value) {
  constexpr std::array<std::pair<double, std::string_view>, 3> kUnits{{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
  for (const auto& [size, unit] : kUnits) {
    if (value >= size) return fmt::format("{:.4g}{}", value / size, unit);
  }
  return fmt::format("{:.4g}", value);
}

std::string tick_latency(double ns) {
  return ns <= 0 ? "0" : short_latency_text(Duration(std::llround(ns)));
}

template <typename Label>
ChartAxis axis_from_zero(double high, std::string title, Label label) {
  const double step = round_step(std::max(high, 1e-9) / kTicksWanted);
  ChartAxis axis{.low = 0, .high = std::ceil(high / step - 1e-9) * step, .title = std::move(title), .ticks = {}};
  axis.high = std::max(axis.high, step);
  for (int i = 0; i * step <= axis.high * (1 + 1e-9); ++i) axis.ticks.push_back({i * step, label(i * step)});
  return axis;
}

}  // namespace

double ChartAxis::place(double value) const {
  if (logarithmic) return std::clamp(std::log(std::max(value, low) / low) / std::log(high / low), 0.0, 1.0);
  return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

ChartAxis count_axis(double high, std::string title) {
  // Counts are integers, so the axis of a small one shows no fractions.
  return axis_from_zero(std::max(high, kTicksWanted), std::move(title), compact);
}

ChartAxis share_axis(double high_percent, std::string title) {
  return axis_from_zero(high_percent, std::move(title), [](double value) { return fmt::format("{:.3g}%", value); });
}

ChartAxis time_axis(Duration end) {
  constexpr std::array<std::int64_t, 16> kStepsS{1,   2,   5,   10,   15,   30,   60,    120,
                                                 300, 600, 900, 1800, 3600, 7200, 21600, 86400};
  constexpr std::int64_t kTicksMax = 8;
  const double end_s = std::max(seconds(end), 1.0);
  std::int64_t step = kStepsS.back();
  for (const std::int64_t candidate : kStepsS) {
    if (end_s <= static_cast<double>(candidate * kTicksMax)) {
      step = candidate;
      break;
    }
  }
  ChartAxis axis{.low = 0, .high = end_s, .title = "time since the start", .ticks = {}};
  for (std::int64_t at = 0; static_cast<double>(at) <= end_s; at += step)
    axis.ticks.push_back({static_cast<double>(at), format_duration(std::chrono::seconds(at))});
  return axis;
}

ChartAxis log_latency_axis(Duration low, Duration high, std::string title) {
  const double from = std::max<double>(1, static_cast<double>(low.count()) * 0.9);
  const double to = std::max(static_cast<double>(high.count()) * 1.1, from * 1.5);
  ChartAxis axis{.low = from, .high = to, .logarithmic = true, .title = std::move(title), .ticks = {}};
  const double decades = std::log10(to / from);
  for (double decade = std::pow(10, std::floor(std::log10(from))); decade <= to; decade *= 10) {
    for (const double rung : {1.0, 2.0, 5.0}) {
      const double value = decade * rung;
      if (value < from || value > to || (rung > 1 && decades > 3)) continue;
      axis.ticks.push_back({value, tick_latency(value)});
    }
  }
  return axis;
}

ChartAxis latency_axis(Duration low, Duration high, std::string title) {
  const auto low_ns = static_cast<double>(low.count()), high_ns = static_cast<double>(high.count());
  if (low_ns > 0 && high_ns / low_ns > kDecadeToLog) return log_latency_axis(low, high, std::move(title));
  return axis_from_zero(std::max(high_ns, 1.0), std::move(title), tick_latency);
}

double nines_of(double percentile) {
  return -std::log10(1 - percentile / 100);
}

double percentile_of(double nines) {
  return 100 * (1 - std::pow(10, -nines));
}

ChartAxis percentile_axis(std::uint64_t count) {
  constexpr double kNinesMax = 6;
  const double nines = std::clamp(std::log10(static_cast<double>(std::max<std::uint64_t>(count, 1))), 1.0, kNinesMax);
  ChartAxis axis{.low = 0, .high = nines, .title = "percentile", .ticks = {{0, "0%"}}};
  for (const double percentile : {50.0, 90.0, 99.0, 99.9, 99.99, 99.999, 99.9999}) {
    if (nines_of(percentile) <= nines + 1e-6)
      axis.ticks.push_back({nines_of(percentile), fmt::format("{}%", percentile)});
  }
  return axis;
}

}  // namespace hyperscale::report

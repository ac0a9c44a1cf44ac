#include "report/html_charts.h"

#include "base/duration_text.h"
#include "base/histogram/display_histogram.h"
#include "base/number_text.h"
#include "report/svg_chart.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

using results::RunResult;
using results::Window;

constexpr std::size_t kHoversMax = 300;
constexpr std::size_t kCurvePoints = 240;
constexpr std::size_t kDistributionBars = 56;
constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

double ns(Duration duration) {
  return static_cast<double>(duration.count());
}

double rate(std::uint64_t count, const Window& window) {
  return window.length > Duration::zero() ? static_cast<double>(count) / seconds(window.length) : 0;
}

double middle(const Window& window) {
  return seconds(window.start) + seconds(window.length) / 2;
}

Duration end_of(const RunResult& result) {
  const Window& last = result.windows.back();
  return last.start + last.length;
}

template <typename Value>
ChartLine line_of(std::string name, std::string_view css_class, const RunResult& result, Value value) {
  ChartLine line{.name = std::move(name), .css_class = css_class, .points = {}};
  for (const Window& window : result.windows) line.points.push_back({middle(window), value(window)});
  return line;
}

// In a long run only some windows have a tooltip; each shows its own figures, not those of its neighbours.
template <typename Text>
std::vector<ChartHover> window_hovers(const RunResult& result, Text text) {
  const std::vector<Window>& windows = result.windows;
  const std::size_t stride = (windows.size() + kHoversMax - 1) / kHoversMax;
  std::vector<ChartHover> hovers;
  for (std::size_t i = 0; i < windows.size(); i += stride) {
    const Window& last = windows[std::min(i + stride, windows.size()) - 1];
    const Window& shown = windows[std::min(i + stride / 2, windows.size() - 1)];
    hovers.push_back({seconds(windows[i].start), seconds(last.start + last.length), middle(shown),
                      elapsed_text(shown.start) + ":  " + text(shown)});
  }
  return hovers;
}

std::string throughput_hover(const Window& window) {
  std::string text = rate_text(rate(window.requests, window));
  if (window.errors != 0) text += fmt::format(", {} errors", count_text(window.errors));
  if (window.dropped != 0) text += fmt::format(", {} dropped", count_text(window.dropped));
  return text + fmt::format(", {} users", count_text(window.vus_active));
}

std::string latency_hover(const Window& window) {
  if (window.requests == 0) return "no answer";
  return fmt::format("p50 {}, p90 {}, p99 {}, max {}", latency_text(window.p50), latency_text(window.p90),
                     latency_text(window.p99), latency_text(window.max));
}

ChartLine curve_of(std::string name, std::string_view css_class, const SparseHistogram& histogram, double nines) {
  ChartLine line{.name = std::move(name), .css_class = css_class, .points = {}};
  for (std::size_t i = 0; i <= kCurvePoints; ++i) {
    const double at = nines * static_cast<double>(i) / kCurvePoints;
    line.points.push_back({at, ns(histogram.value_at_percentile(percentile_of(at)))});
  }
  return line;
}

}  // namespace

std::string throughput_chart(const RunResult& result) {
  if (result.windows.empty()) return "";
  double high = 0;
  bool any_error = false, any_dropped = false;
  for (const Window& window : result.windows) {
    high = std::max({high, rate(window.requests, window), rate(window.dropped, window)});
    any_error |= window.errors != 0;
    any_dropped |= window.dropped != 0;
  }
  const bool one_request_each = result.iterations == result.total_counts().requests();
  const bool asked = result.open_loop && result.asked_rate_per_s > 0 && one_request_each;
  if (asked) high = std::max(high, result.asked_rate_per_s);
  Chart chart{.title = "Throughput",
              .note = "requests that ended in each second, and how many of them failed",
              .x = time_axis(end_of(result)),
              .y = count_axis(high * 1.05, "per second"),
              .hovers = window_hovers(result, throughput_hover)};
  chart.lines.push_back(line_of("requests", "c2", result, [](const Window& w) { return rate(w.requests, w); }));
  chart.lines.back().filled = true;
  if (any_error) {
    chart.lines.push_back(line_of("errors", "bad", result, [](const Window& w) { return rate(w.errors, w); }));
    chart.lines.back().filled = true;
  }
  if (any_dropped)
    chart.lines.push_back(line_of("dropped", "warn", result, [](const Window& w) { return rate(w.dropped, w); }));
  if (asked) {
    chart.lines.push_back({.name = "asked rate",
                           .css_class = "c4",
                           .points = {{0, result.asked_rate_per_s}, {seconds(end_of(result)), result.asked_rate_per_s}},
                           .dashed = true});
  }
  return figure_of(chart);
}

std::string latency_over_time_chart(const RunResult& result) {
  Duration low = Duration::max(), high{};
  for (const Window& window : result.windows) {
    if (window.requests == 0) continue;
    low = std::min(low, window.p50);
    high = std::max(high, window.max);
  }
  if (high == Duration::zero()) return "";
  Chart chart{.title = "Latency over time",
              .note = "percentiles of duration in each second",
              .x = time_axis(end_of(result)),
              .y = latency_axis(low, high, "duration"),
              .hovers = window_hovers(result, latency_hover)};
  if (chart.y.logarithmic) chart.note += ", on a logarithmic scale";
  const auto add = [&](std::string name, std::string_view css_class, Duration Window::* value) {
    chart.lines.push_back(line_of(std::move(name), css_class, result, [value](const Window& window) {
      return window.requests == 0 ? kGap : ns(window.*value);
    }));
  };
  add("max", "c4", &Window::max);
  add("p99", "c3", &Window::p99);
  add("p90", "c2", &Window::p90);
  add("p50", "c1", &Window::p50);
  return figure_of(chart);
}

std::string percentile_chart(const results::Series& series) {
  if (series.duration.empty()) return "";
  const ChartAxis x = percentile_axis(series.duration.count());
  const Duration low =
      series.service.empty() ? series.duration.min() : std::min(series.duration.min(), series.service.min());
  Chart chart{.title = "Latency by percentile",
              .note = "how long the slowest one in ten, in a hundred, in a thousand takes",
              .x = x,
              .y = latency_axis(std::max(low, kHistogramUnit), std::max(series.duration.max(), series.service.max()),
                                "latency")};
  if (!series.service.empty()) chart.lines.push_back(curve_of("service", "c4", series.service, x.high));
  chart.lines.push_back(curve_of("duration", "c2", series.duration, x.high));
  constexpr std::size_t kStretches = 48;
  for (std::size_t i = 0; i < kStretches; ++i) {
    const double low_at = x.high * static_cast<double>(i) / kStretches;
    const double high_at = x.high * static_cast<double>(i + 1) / kStretches;
    const double percentile = percentile_of((low_at + high_at) / 2);
    std::string text =
        fmt::format("{:.5g}%:  duration {}", percentile, latency_text(series.duration.value_at_percentile(percentile)));
    if (!series.service.empty()) text += ", service " + latency_text(series.service.value_at_percentile(percentile));
    chart.hovers.push_back({low_at, high_at, (low_at + high_at) / 2, std::move(text)});
  }
  return figure_of(chart);
}

std::string distribution_chart(const SparseHistogram& duration) {
  if (duration.empty()) return "";
  const DisplayHistogram display(duration, kDistributionBars);
  std::uint64_t most = 0;
  for (const auto& bucket : display.buckets()) most = std::max(most, bucket.count);
  const auto percent = [&](std::uint64_t count) {
    return 100 * static_cast<double>(count) / static_cast<double>(duration.count());
  };
  const Duration low = std::max(display.buckets().front().range.low, kHistogramUnit);
  Chart chart{.title = "Latency distribution",
              .note = "share of the requests by duration, on a logarithmic scale",
              .x = log_latency_axis(low, display.buckets().back().range.high, "duration"),
              .y = share_axis(percent(most), "of requests")};
  for (const auto& [range, count] : display.buckets()) {
    chart.bars.push_back({ns(range.low), ns(range.high), percent(count)});
    chart.hovers.push_back({ns(range.low), ns(range.high), ns(range.low + (range.high - range.low) / 2),
                            fmt::format("{} – {}:  {} ({})", latency_text(range.low), latency_text(range.high),
                                        count_text(count), percent_text(count, duration.count()))});
  }
  return figure_of(chart);
}

}  // namespace hyperscale::report

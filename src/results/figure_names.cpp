#include "results/figure_names.h"

#include "base/nearest_match.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::results {
namespace {

const std::vector<std::string>& series_names() {
  static const std::vector<std::string> names{"duration", "ok", "service", "connect", "tls", "first_byte", "lag"};
  return names;
}

// For suggestions: the common percentiles represent all.
const std::vector<std::string>& figure_names() {
  static const std::vector<std::string> names{"p50", "p90", "p95", "p99", "p99.9", "p99.99", "max", "min", "mean"};
  return names;
}

const std::vector<std::string>& plain_names() {
  static const std::vector<std::string> names{"errors", "checks", "iterations_failed", "dropped", "requests", "rate"};
  return names;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::optional<std::string> suggestion(std::string_view text) {
  std::vector<std::string> candidates = plain_names();
  for (const std::string& figure : figure_names()) candidates.push_back(figure);
  for (const std::string& series : series_names()) {
    for (const std::string& figure : figure_names()) candidates.push_back(fmt::format("{}.{}", series, figure));
  }
  return nearest_match(text, candidates);
}

tl::unexpected<Error> unknown(std::string_view text) {
  if (contains(series_names(), text)) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("\"{0}\" needs a figure, such as {0}.p99 or {0}.max", text));
  }
  if (const auto nearest = suggestion(text)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" is not a metric; did you mean \"{}\"?", text, *nearest));
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is not a metric; use p50, p99.9 and the like, max, min, mean, errors, checks, "
                          "iterations_failed, dropped, requests or rate, or a series and a figure such as connect.p99",
                          text));
}

// "p99.9" contains a number; "pattern" does not.
std::optional<double> percentile_of(std::string_view figure) {
  if (figure.size() < 2 || figure[0] != 'p' || figure[1] < '0' || figure[1] > '9') return std::nullopt;
  double value = 0;
  const char* end = figure.data() + figure.size();
  const auto [rest, error] = std::from_chars(figure.data() + 1, end, value, std::chars_format::fixed);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

Result<FigureName> percentile_name(std::string_view text, double percentile, FigureName name) {
  if (percentile > 100) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" is no percentile: it goes up to 100, so one in a thousand is p99.9", text));
  }
  name.metric = "percentile";
  name.percentile = percentile;
  return name;
}

Result<FigureName> figure_of_check(std::string_view text) {
  if (text == "rate" || text == "passes" || text == "checks")
    return FigureName{.kind = FigureKind::kShare, .series = "", .metric = "checks"};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is not a figure of a check; write rate>99% or passes>=100", text));
}

Result<FigureName> figure_of_metric(std::string_view text) {
  FigureName name{.kind = FigureKind::kNumber, .series = "", .metric = std::string(text)};
  if (const auto percentile = percentile_of(text)) return percentile_name(text, *percentile, name);
  if (text == "total") return FigureName{.kind = FigureKind::kNumber, .series = "", .metric = "sum"};
  static const std::vector<std::string> names{"mean", "sum", "count", "min", "max", "last", "rate"};
  if (contains(names, text)) return name;
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is not a figure of a metric; use mean, sum (or total), count, min, max, last, rate, "
                          "or p95 and the like",
                          text));
}

}  // namespace

Result<FigureName> parse_figure_name(std::string_view text, const ThresholdScope& scope) {
  if (text.empty()) return fail(ErrorCode::kInvalidArgument, "the metric is missing; write for example p99<200ms");
  if (!scope.check.empty()) return figure_of_check(text);
  if (!scope.metric.empty()) return figure_of_metric(text);
  const bool of_run = text == "dropped" || text == "iterations_failed" || text.starts_with("lag.");
  if (of_run && scope != ThresholdScope())
    return fail(ErrorCode::kInvalidArgument, fmt::format("\"{}\" is a figure of the whole run, not of a step", text));
  if (contains(plain_names(), text)) {
    const bool volume = text == "requests" || text == "rate";
    return FigureName{
        .kind = volume ? FigureKind::kVolume : FigureKind::kShare, .series = "", .metric = std::string(text)};
  }
  FigureName name{.kind = FigureKind::kLatency, .series = "duration", .metric = ""};
  std::string_view figure = text;
  if (const std::size_t dot = text.find('.');
      dot != std::string_view::npos && contains(series_names(), text.substr(0, dot))) {
    name.series = text.substr(0, dot);
    figure = text.substr(dot + 1);
  }
  if (const auto percentile = percentile_of(figure)) return percentile_name(text, *percentile, name);
  if (figure != "max" && figure != "min" && figure != "mean") return unknown(text);
  name.metric = figure;
  return name;
}

}  // namespace hyperscale::results

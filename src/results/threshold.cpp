#include "results/threshold.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "base/trimmed.h"
#include "results/figure_names.h"

#include <array>
#include <charconv>
#include <chrono>

#include <fmt/format.h>

namespace hyperscale::results {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kSigns = "<>=!";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// "200 ms" without its blank; a blank between two digits stays, so that parsing the number fails.
std::string joined(std::string_view value) {
  std::string text;
  for (std::size_t at = 0; at < value.size(); ++at) {
    const bool blank = kBlanks.find(value[at]) != std::string_view::npos;
    const std::size_t next = value.find_first_not_of(kBlanks, at);
    const bool splits_number = blank && !text.empty() && is_digit(text.back()) && is_digit(value[next]);
    if (!blank || splits_number) text.push_back(value[at]);
  }
  return text;
}

std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  if (text.empty() || !is_digit(text[0])) return std::nullopt;
  const char* begin = text.data();
  const auto [rest, error] = std::from_chars(begin, end, number, std::chars_format::fixed);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace

Result<Threshold> Threshold::parse(std::string_view text, const ThresholdScope& scope) {
  Threshold threshold;
  threshold.scope_ = scope;
  const std::string_view whole = trimmed(text);
  threshold.text_ = scope_text(scope) + std::string(whole);
  const std::size_t sign_at = whole.find_first_of(kSigns);
  if (sign_at == std::string_view::npos) {
    return invalid(fmt::format("threshold \"{}\" has no comparison; write for example p99<200ms or errors<1%", whole));
  }
  const std::size_t value_at = std::min(whole.find_first_not_of(kSigns, sign_at), whole.size());
  Status read = threshold.read_metric(trimmed(whole.substr(0, sign_at)));
  if (read) read = threshold.read_comparison(whole.substr(sign_at, value_at - sign_at));
  if (read) read = threshold.read_value(joined(trimmed(whole.substr(value_at))));
  if (!read) return invalid(fmt::format("threshold \"{}\": {}", threshold.text_, read.error().context));
  return threshold;
}

Result<Threshold> parse_scoped(std::string_view text) {
  const auto parts = split_scope(trimmed(text));
  if (!parts) return fail(parts.error());
  return Threshold::parse(parts->condition, parts->scope);
}

Status Threshold::read_metric(std::string_view metric) {
  Result<FigureName> name = parse_figure_name(metric, scope_);
  if (!name) return fail(name.error());
  series_ = std::move(name->series);
  metric_ = std::move(name->metric);
  percentile_ = name->percentile;
  switch (name->kind) {
    case FigureKind::kLatency:
      unit_ = Unit::kDuration;
      return {};
    case FigureKind::kShare:
      unit_ = Unit::kPercent;
      return {};
    case FigureKind::kVolume:
      unit_ = metric_ == "rate" ? Unit::kRate : Unit::kCount;
      return {};
    case FigureKind::kNumber:
      unit_ = Unit::kNumber;
      return {};
  }
  UNREACHABLE("kind {}", static_cast<int>(name->kind));
}

Status Threshold::read_comparison(std::string_view sign) {
  struct Row {
    std::string_view sign;
    Comparison comparison;
  };
  constexpr std::array kRows{Row{"<", Comparison::kLess},    Row{"<=", Comparison::kLessEqual},
                             Row{">", Comparison::kGreater}, Row{">=", Comparison::kGreaterEqual},
                             Row{"==", Comparison::kEqual},  Row{"!=", Comparison::kNotEqual}};
  for (const Row& row : kRows) {
    if (row.sign != sign) continue;
    comparison_ = row.comparison;
    return {};
  }
  return invalid(fmt::format("\"{}\" is not a comparison; use <, <=, >, >=, == or !=", sign));
}

// unit_ is the default unit of the metric; the value may use another unit that the metric supports.
Status Threshold::read_value(std::string_view value) {
  if (value.empty()) return invalid("the value is missing");
  if (unit_ == Unit::kNumber) return read_number(value);
  if (unit_ == Unit::kDuration) return read_duration(value);
  if (unit_ == Unit::kPercent) return value.back() == '%' ? read_percent(value) : read_count(value);
  const bool has_slash = value.find('/') != std::string_view::npos;
  return has_slash || unit_ == Unit::kRate ? read_rate(value) : read_count(value);
}

Status Threshold::read_duration(std::string_view value) {
  const Result<Duration> duration = parse_duration(value);
  if (!duration) return fail(duration.error());
  value_ = static_cast<double>(duration->count());
  return {};
}

Status Threshold::read_percent(std::string_view value) {
  const auto number = parse_number(value.substr(0, value.size() - 1));
  if (!number) return invalid(fmt::format("\"{}\" is not a percentage; write for example 1% or 0.5%", value));
  if (*number > 100) return invalid(fmt::format("\"{}\" is more than all of them", value));
  unit_ = Unit::kPercent;
  value_ = *number;
  return {};
}

Status Threshold::read_rate(std::string_view value) {
  const std::size_t slash = std::min(value.find('/'), value.size());
  const auto number = parse_number(value.substr(0, slash));
  const std::string_view unit = slash == value.size() ? "s" : value.substr(slash + 1);
  const double seconds = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (!number || seconds == 0) return invalid(fmt::format("\"{}\" is not a rate; write for example 1000/s", value));
  unit_ = Unit::kRate;
  value_ = *number / seconds;
  return {};
}

Status Threshold::read_count(std::string_view value) {
  const auto number = parse_number(value);
  if (!number || value.find('.') != std::string_view::npos) {
    const std::string_view other =
        unit_ == Unit::kPercent ? " or a percentage such as 1%" : " or a rate such as 1000/s";
    return invalid(fmt::format("\"{}\" is not a count{}", value, other));
  }
  unit_ = Unit::kCount;
  value_ = *number;
  return {};
}

// Values of script metrics have no unit; times among them are in milliseconds.
Status Threshold::read_number(std::string_view value) {
  if (metric_ == "rate") {
    if (value.back() == '%') return read_percent(value);
    if (value.find('/') != std::string_view::npos) return read_rate(value);
    return invalid(fmt::format("\"{}\" is not a rate; write a share such as 95%, or 10/s", value));
  }
  const bool negative = value.front() == '-';
  if (const auto number = parse_number(value.substr(negative ? 1 : 0))) {
    value_ = negative ? -*number : *number;
    return {};
  }
  const Result<Duration> duration = parse_duration(value);
  if (!duration) return invalid(fmt::format("\"{}\" is not a number, such as 300 or 2.5", value));
  value_ = std::chrono::duration<double, std::milli>(*duration).count();
  return {};
}

}  // namespace hyperscale::results

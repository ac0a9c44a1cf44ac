#include "base/metrics_page.h"

#include "base/check.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace hyperscale {
namespace {

std::string number_of(double value) {
  if (std::isnan(value)) return "Nan";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

void append_escaped(std::string& to, std::string_view text, bool quoted) {
  for (const char c : text) {
    if (c == '\\' || (quoted && c == '"')) to += '\\';
    if (c == '\n') {
      to += "\\n";
    } else {
      to += c;
    }
  }
}

}  // namespace

MetricsPage::Family& MetricsPage::family(std::string_view name, std::string_view help, std::string_view type) {
  const std::string whole = prefix_ + std::string(name);
  auto found = std::ranges::find(families_, whole, &Family::name);
  if (found == families_.end()) {
    families_.push_back({.name = whole, .type = type, .text = "# HELP " + whole + ' '});
    found = std::prev(families_.end());
    append_escaped(found->text, help, false);
    fmt::format_to(std::back_inserter(found->text), "\n# TYPE {} {}\n", whole, type);
  }
  CHECK(found->type == type, "{} is of two types", whole);
  return *found;
}

void MetricsPage::sample(Family& family, std::string_view suffix, const Labels& labels, const Label* last,
                         std::string_view value) {
  std::string& text = family.text;
  text += family.name;
  text += suffix;
  char before = '{';
  const auto put = [&](const Label& label) {
    text += std::exchange(before, ',');
    text += label.first;
    text += "=\"";
    append_escaped(text, label.second, true);
    text += '"';
  };
  for (const Label& label : labels) put(label);
  if (last != nullptr) put(*last);
  if (before == ',') text += '}';
  text += ' ';
  text += value;
  text += '\n';
}

void MetricsPage::counter(std::string_view name, std::string_view help, double value, const Labels& labels) {
  sample(family(name, help, "counter"), "", labels, nullptr, number_of(value));
}

void MetricsPage::gauge(std::string_view name, std::string_view help, double value, const Labels& labels) {
  sample(family(name, help, "gauge"), "", labels, nullptr, number_of(value));
}

void MetricsPage::summary(std::string_view name, std::string_view help, const Summary& summary, const Labels& labels) {
  Family& to = family(name, help, "summary");
  sample(to, "_count", labels, nullptr, fmt::to_string(summary.count));
  sample(to, "_sum", labels, nullptr, number_of(summary.sum));
  for (const auto& [rank, value] : summary.quantiles) {
    const Label quantile{"quantile", number_of(rank)};
    sample(to, "", labels, &quantile, number_of(value));
  }
}

void MetricsPage::histogram(std::string_view name, std::string_view help, const Buckets& buckets,
                            const Labels& labels) {
  CHECK(buckets.counts.size() == buckets.bounds.size() + 1, "{} counts", buckets.counts.size());
  Family& to = family(name, help, "histogram");
  std::uint64_t below = 0;
  for (const std::uint64_t count : buckets.counts) below += count;
  sample(to, "_count", labels, nullptr, fmt::to_string(below));
  sample(to, "_sum", labels, nullptr, number_of(buckets.sum));
  below = 0;
  for (std::size_t i = 0; i < buckets.counts.size(); ++i) {
    below += buckets.counts[i];
    const Label bound{"le", i == buckets.bounds.size() ? "+Inf" : number_of(buckets.bounds[i])};
    sample(to, "_bucket", labels, &bound, fmt::to_string(below));
  }
}

std::string MetricsPage::text() const {
  std::string out;
  for (const Family& family : families_) out += family.text;
  return out;
}

}  // namespace hyperscale

#include "runtime/metrics/metrics_page.h"

#include "base/check.h"

#include <algorithm>
#include <limits>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

namespace hyperscale::runtime {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

struct MetricsPage::Families {
  ClientMetric& add(std::string_view name, std::string_view help, MetricType type, const Labels& labels) {
    const std::string whole = prefix + std::string(name);
    auto family = std::ranges::find(all, whole, &MetricFamily::name);
    if (family == all.end()) {
      all.push_back({.name = whole, .help = std::string(help), .type = type, .metric = {}});
      family = std::prev(all.end());
    }
    CHECK(family->type == type, "{} is of two types", whole);
    ClientMetric& metric = family->metric.emplace_back();
    for (const auto& [label, value] : labels) metric.label.push_back({label, value});
    return metric;
  }

  std::string prefix;
  std::vector<MetricFamily> all;
};

MetricsPage::MetricsPage(std::string prefix) : families_(std::make_unique<Families>()) {
  families_->prefix = std::move(prefix);
}
MetricsPage::~MetricsPage() = default;

void MetricsPage::counter(std::string_view name, std::string_view help, double value, const Labels& labels) {
  families_->add(name, help, MetricType::Counter, labels).counter.value = value;
}

void MetricsPage::gauge(std::string_view name, std::string_view help, double value, const Labels& labels) {
  families_->add(name, help, MetricType::Gauge, labels).gauge.value = value;
}

void MetricsPage::summary(std::string_view name, std::string_view help, const Summary& summary, const Labels& labels) {
  ClientMetric& metric = families_->add(name, help, MetricType::Summary, labels);
  metric.summary.sample_count = summary.count;
  metric.summary.sample_sum = summary.sum;
  for (const auto& [rank, value] : summary.quantiles) metric.summary.quantile.push_back({rank, value});
}

void MetricsPage::histogram(std::string_view name, std::string_view help, const Buckets& buckets,
                            const Labels& labels) {
  CHECK(buckets.counts.size() == buckets.bounds.size() + 1, "{} counts", buckets.counts.size());
  ClientMetric& metric = families_->add(name, help, MetricType::Histogram, labels);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < buckets.counts.size(); ++i) {
    below += buckets.counts[i];
    const bool last = i == buckets.bounds.size();
    metric.histogram.bucket.push_back({below, last ? std::numeric_limits<double>::infinity() : buckets.bounds[i]});
  }
  metric.histogram.sample_count = below;
  metric.histogram.sample_sum = buckets.sum;
}

std::string MetricsPage::text() const {
  return prometheus::TextSerializer().Serialize(families_->all);
}

}  // namespace hyperscale::runtime

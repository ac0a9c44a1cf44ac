#include "runtime/metrics/metrics.h"

#include "base/check.h"
#include "base/duration_text.h"

#include <array>
#include <mutex>
#include <vector>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

namespace hyperscale::runtime {
namespace {

struct Series {
  const char* name;
  const char* help;
  const char* label;  // nullptr: the series has no label
};

// One row per Counter, in the order of the enum.
constexpr std::array<Series, static_cast<std::size_t>(Counter::kCount)> kCounters{{
    {"queue_dropped_total", "Items a full queue dropped", "queue"},
    {"tasks_spawned_total", "Tasks started", "kind"},
    {"tasks_completed_total", "Tasks that ended by themselves", "kind"},
    {"tasks_aborted_total", "Tasks that were aborted past the drain deadline", "kind"},
    {"tasks_canceled_total", "Tasks and requests that were cancelled", "kind"},
    {"io_timeouts_total", "Operations that passed their deadline", "op"},
    {"io_errors_total", "Operations that failed", "op"},
    {"backoff_retries_total", "Operations tried again after a backoff", "op"},
    {"busy_rejections_total", "Requests refused because a limit was reached", "endpoint"},
    {"service_restarts_total", "Restarts of crashed tasks", "service"},
    {"facet_busy_total", "Requests refused because a facet had no permit left", "facet"},
    {"facet_deadline_timeouts_total", "Facet requests that passed their deadline", "facet"},
    {"bus_lagged_total", "Bus events a slow receiver missed", "service"},
    {"config_coalesced_total", "Configuration changes replaced by a newer one before they were applied", nullptr},
    {"circuit_open_total", "Times a circuit breaker opened", "endpoint"},
    {"connections_accepted_total", "Connections accepted", "listener"},
    {"connections_refused_total", "Connections refused at once", "reason"},
    {"requests_refused_total", "Requests refused before their handler ran", "reason"},
    {"handshakes_dropped_total", "TLS handshakes that did not complete", "reason"},
}};

// One row per Gauge, in the order of the enum.
constexpr std::array<Series, static_cast<std::size_t>(Gauge::kCount)> kGauges{{
    {"queue_depth", "Items waiting in a queue", "queue"},
    {"readyz_state", "Readiness of a service: 0 unready, 1 degraded, 2 ready", "service"},
    {"ready_dependency_unmet", "1 while a dependency of readiness is not met", "dep"},
    {"semaphore_inflight", "Permits of a facet in use", "facet"},
    {"connections_open", "Connections open now", "listener"},
    {"drain_state", "Shutdown: 0 running, 1 pre-drain, 2 draining, 3 aborting, 4 stopped", nullptr},
}};

const prometheus::Histogram::BucketBoundaries kLatencyBuckets{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                              0.1,    0.25,  0.5,    1,     2,    2.1,   5};

prometheus::Labels labels_of(const Series& series, std::string_view label) {
  CHECK(series.label != nullptr || label.empty(), "{} has no label", series.name);
  if (series.label == nullptr) return {};
  return {{series.label, std::string(label)}};
}

}  // namespace

struct Metrics::Families {
  prometheus::Registry registry;
  std::vector<prometheus::Family<prometheus::Counter>*> counters;
  std::vector<prometheus::Family<prometheus::Gauge>*> gauges;
  prometheus::Family<prometheus::Histogram>* latency = nullptr;
  mutable std::mutex samplers_mutex;
  std::vector<std::function<void()>> samplers;

  prometheus::Counter& counter(Counter which, std::string_view label) const {
    const auto index = static_cast<std::size_t>(which);
    return counters[index]->Add(labels_of(kCounters[index], label));
  }
  prometheus::Gauge& gauge(Gauge which, std::string_view label) const {
    const auto index = static_cast<std::size_t>(which);
    return gauges[index]->Add(labels_of(kGauges[index], label));
  }
};

Metrics::Metrics() : families_(std::make_unique<Families>()) {
  for (const Series& series : kCounters) {
    auto& family = prometheus::BuildCounter().Name(series.name).Help(series.help).Register(families_->registry);
    if (series.label == nullptr) family.Add({});
    families_->counters.push_back(&family);
  }
  for (const Series& series : kGauges) {
    auto& family = prometheus::BuildGauge().Name(series.name).Help(series.help).Register(families_->registry);
    if (series.label == nullptr) family.Add({});
    families_->gauges.push_back(&family);
  }
  families_->latency = &prometheus::BuildHistogram()
                            .Name("request_latency_seconds")
                            .Help("Time from a request's first byte to its answer")
                            .Register(families_->registry);
}

Metrics::~Metrics() = default;

void Metrics::add(Counter counter, std::string_view label, double amount) {
  families_->counter(counter, label).Increment(amount);
}

void Metrics::set(Gauge gauge, std::string_view label, double value) {
  families_->gauge(gauge, label).Set(value);
}

void Metrics::observe_latency(std::string_view endpoint, std::string_view method, Duration elapsed) {
  families_->latency->Add({{"endpoint", std::string(endpoint)}, {"method", std::string(method)}}, kLatencyBuckets)
      .Observe(seconds(elapsed));
}

void Metrics::on_scrape(std::function<void()> sample) {
  const std::lock_guard lock(families_->samplers_mutex);
  families_->samplers.push_back(std::move(sample));
}

void Metrics::clear_samplers() {
  const std::lock_guard lock(families_->samplers_mutex);
  families_->samplers.clear();
}

std::string Metrics::expose() const {
  {
    const std::lock_guard lock(families_->samplers_mutex);
    for (const auto& sample : families_->samplers) sample();
  }
  return prometheus::TextSerializer().Serialize(families_->registry.Collect());
}

double Metrics::value(Counter counter, std::string_view label) const {
  return families_->counter(counter, label).Value();
}

double Metrics::value(Gauge gauge, std::string_view label) const {
  return families_->gauge(gauge, label).Value();
}

}  // namespace hyperscale::runtime

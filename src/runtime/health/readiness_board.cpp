#include "runtime/health/readiness_board.h"

#include "base/check.h"
#include "runtime/metrics/metrics.h"

#include <algorithm>

namespace hyperscale::runtime {

void ReadinessBoard::add_condition(const std::string& name) {
  const concurrent::RankedLock lock(mutex_);
  const auto added = graph_.add_condition(name);
  CHECK(added.has_value(), "{}", added.error().to_string());
  conditions_.push_back(name);
}

void ReadinessBoard::add_service(const std::string& name, std::vector<std::string> depends_on) {
  const concurrent::RankedLock lock(mutex_);
  const auto added = graph_.add_service(name, std::move(depends_on));
  CHECK(added.has_value(), "{}", added.error().to_string());
  services_.push_back(name);
}

void ReadinessBoard::set_condition(const std::string& name, bool met) {
  Overall now;
  {
    const concurrent::RankedLock lock(mutex_);
    graph_.set_condition(name, met);
    now = graph_.overall();
  }
  export_metrics(now);
}

void ReadinessBoard::update(const std::vector<ServiceStatus>& services) {
  Overall now;
  {
    const concurrent::RankedLock lock(mutex_);
    for (const ServiceStatus& service : services) {
      if (std::find(services_.begin(), services_.end(), service.name) == services_.end()) continue;
      graph_.set_state(service.name, service.state);
    }
    now = graph_.overall();
  }
  export_metrics(now);
}

void ReadinessBoard::set_draining() {
  Overall now;
  {
    const concurrent::RankedLock lock(mutex_);
    graph_.set_draining();
    now = graph_.overall();
  }
  export_metrics(now);
}

Overall ReadinessBoard::overall() const {
  const concurrent::RankedLock lock(mutex_);
  return graph_.overall();
}

void ReadinessBoard::export_metrics(const Overall& overall) {
  for (const auto& [service, state] : overall.services) {
    metrics_.set(Gauge::kReadyzState, service, static_cast<double>(state));
  }
  const auto is_unmet = [&](const std::string& name) {
    return std::find(overall.unmet.begin(), overall.unmet.end(), name) != overall.unmet.end();
  };
  for (const std::string& name : conditions_) metrics_.set(Gauge::kReadyDependencyUnmet, name, is_unmet(name) ? 1 : 0);
  for (const std::string& name : services_) metrics_.set(Gauge::kReadyDependencyUnmet, name, is_unmet(name) ? 1 : 0);
}

}  // namespace hyperscale::runtime

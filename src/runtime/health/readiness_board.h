// ReadinessBoard: the ReadinessGraph of a running node, shared between the tasks that report and the routes that show.
// Thread rule: any thread. Every change also updates readyz_state and ready_dependency_unmet.
#pragma once

#include "concurrent/ranked_mutex.h"
#include "runtime/policy/readiness_graph.h"
#include "runtime/task/supervisor.h"

#include <string>
#include <vector>

namespace hyperscale::runtime {

class ReadinessBoard {
 public:
  explicit ReadinessBoard(Metrics& metrics) : metrics_(metrics) {}

  // While the node is put together.
  void add_condition(const std::string& name);
  void add_service(const std::string& name, std::vector<std::string> depends_on = {});

  void set_condition(const std::string& name, bool met);
  // Updates from the supervisor's view; unknown services are ignored.
  void update(const std::vector<ServiceStatus>& services);
  void set_draining();

  Overall overall() const;

 private:
  void export_metrics(const Overall& overall);

  Metrics& metrics_;
  mutable concurrent::RankedMutex mutex_{concurrent::LockRank::kStateMeta};
  ReadinessGraph graph_;
  std::vector<std::string> services_;
  std::vector<std::string> conditions_;
};

}  // namespace hyperscale::runtime

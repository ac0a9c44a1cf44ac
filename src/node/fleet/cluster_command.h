// `hyperscale cluster`: a cluster of real nodes on this machine, for trials and tests.
#pragma once

#include "node/fleet/fleet_plan.h"

#include <string>
#include <vector>

namespace hyperscale::node {

struct ClusterOptions {
  std::string action;  // up, status, kill, pause, resume, start, partition, heal, down
  std::string state_dir;
  FleetShape shape;
  std::string probe_interval;
  std::vector<std::string> names;
  bool json = false;
};

// Returns the exit code of the process.
int cluster_command(const ClusterOptions& options);

}  // namespace hyperscale::node

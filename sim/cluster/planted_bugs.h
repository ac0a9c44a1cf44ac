// The bugs that `hyperscale sim --mutate NAME` plants in every node of the cluster, and the number of seeds within
// which each shows. Read-only; any thread.
#pragma once

#include "cluster/cluster_config.h"
#include "sim/run/binding.h"

#include <string_view>
#include <vector>

namespace hyperscale::sim {

std::vector<PlantedBug> planted_bugs();

// REQUIRES: bug is empty or one of planted_bugs().
void plant(std::string_view bug, cluster::Mutations& mutations);

}  // namespace hyperscale::sim

// The bugs that `hyperscale sim --mutate NAME` plants in every node of the cluster, and in how many seeds one of them
// shows. Read-only; any thread.
#pragma once

#include "cluster/cluster_config.h"
#include "sim/run/binding.h"

#include <string_view>
#include <vector>

namespace hyperscale::sim {

std::vector<PlantedBug> planted_bugs();

// REQUIRES: bug is empty or one of planted_bugs(). Those that the binding itself plants change nothing here.
void plant(std::string_view bug, cluster::Mutations& mutations);

// Promises are given before they are on the disk: the binding leaves every save out.
inline constexpr std::string_view kForgetPersist = "forget_persist";

}  // namespace hyperscale::sim

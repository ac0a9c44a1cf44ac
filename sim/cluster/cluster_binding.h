// The cluster for the command `hyperscale sim`. Any thread.
#pragma once

#include "sim/run/binding.h"

namespace hyperscale::sim {

Binding cluster_binding();

}  // namespace hyperscale::sim

// `hyperscale sim`: runs seeds of the swarm or of a scenario, or measures how the cluster scales, and prints the
// results. Blocks; installs handlers of SIGINT and SIGTERM that end the work early and print what was done.
//
// Exit codes: 0 every seed passed, 1 a checker failed, 2 wrong usage, 130 stopped by the user.
#pragma once

#include "sim/run/binding.h"
#include "sim/run/sim_options.h"

namespace hyperscale::sim {

inline constexpr int kExitPassed = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitStopped = 130;

int sim_command(const SimOptions& wanted, const Binding& binding);

}  // namespace hyperscale::sim

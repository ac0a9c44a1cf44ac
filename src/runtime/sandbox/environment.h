// The environment of a process that runs a script: only variables that its libraries need.
#pragma once

#include <string>
#include <vector>

namespace hyperscale::runtime {

// "NAME=VALUE" of each variable that a child keeps: language, time zone, certificates of the system, library paths. The
// time zone is always among them when it has a name, because a sealed process cannot look it up.
std::vector<std::string> kept_environment();

// For a copy of a process: overwrites the variables that are not kept, in place, so that /proc does not show them
// either. REQUIRES: one thread.
void clear_environment();

}  // namespace hyperscale::runtime

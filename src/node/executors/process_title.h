// What ps shows of a process.
#pragma once

#include <string>

namespace hyperscale::node {

// "hyperscale: executor 0 of run-1763424000000-0a1b2c3d": the first argument that an executor is started with.
std::string process_title(const std::string& what, const std::string& run);

// Erases all arguments but the first from the command line of this process, and names the calling thread after its
// beginning. REQUIRES: the main thread; all arguments have been read.
void show_title();

}  // namespace hyperscale::node

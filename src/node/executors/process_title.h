// What ps shows of a process.
#pragma once

#include <string>

namespace hyperscale::node {

// "hyperscale: executor 0 of run-1763424000000-0a1b2c3d": the first argument that an executor is started with.
std::string process_title(const std::string& what, const std::string& run);

// Leaves only the first argument of this process on its command line, and its beginning as the name of the thread that
// calls. The other arguments have been read by now. REQUIRES: the main thread; nobody needs the arguments any more.
void show_title();

}  // namespace hyperscale::node

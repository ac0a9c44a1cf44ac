// `hyperscale new FILE`: a workflow file to start from, and the types for editors beside it. Any thread.
#pragma once

#include <string>

namespace hyperscale::app {

// 0: written; 1: a file could not be written; 2: there is a file of that name already and `force` is not given, or the
// name is not that of a workflow file.
int new_command(const std::string& file, bool force);

}  // namespace hyperscale::app

// `hyperscale new FILE`: writes a starter workflow file, and the types for editors beside it. Any thread.
#pragma once

#include <string>

namespace hyperscale::app {

// Returns 0: written; 1: a file could not be written; 2: the file exists and `force` is false, or its name is not that
// of a workflow file.
int new_command(const std::string& file, bool force);

}  // namespace hyperscale::app

// Landlock rules for files: restrict paths for the calling thread and threads that it starts later. Open descriptors
// keep working.
#pragma once

#include "base/result.h"

#include <cstdint>

namespace hyperscale::runtime {

// kRead: files and folders may be read, nothing is written, made, removed or executed; and no signal or abstract
// socket reaches a process outside. kNone: no path at all. The second may follow the first.
enum class FileRights : std::uint8_t { kRead, kNone };

// The version of Landlock in this kernel; 0 when it has none or this process may not use it.
int landlock_version();

// Returns the version in use; 0: not supported, nothing changed.
Result<int> restrict_files(FileRights rights);

}  // namespace hyperscale::runtime

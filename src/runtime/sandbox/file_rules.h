// Files by Landlock: what the calling thread, and threads that it starts later, may do with paths. Descriptors that are
// open already keep working.
#pragma once

#include "base/result.h"

#include <cstdint>

namespace hyperscale::runtime {

// kRead: files and folders may be read, nothing is written, made, removed or executed; and no signal or abstract
// socket reaches a process outside. kNone: no path at all. The second may follow the first.
enum class FileRights : std::uint8_t { kRead, kNone };

// The version of Landlock in this kernel; 0 when it has none or this process may not use it.
int landlock_version();

// Gives the version that was used; 0: there is none, and nothing changed.
Result<int> restrict_files(FileRights rights);

}  // namespace hyperscale::runtime

// Core dumps of a process that holds secrets.
#pragma once

namespace hyperscale::runtime {

// Set to 1, this variable enables core dumps of processes with secrets, for debugging.
inline constexpr const char* kCoreDumpsVariable = "HS_CORE_DUMPS";

// From now on this process writes no core dump, and no other process of its user may read its memory. Children inherit
// the limit. Nothing happens when the variable above asks for dumps.
void leave_no_core_dump();

}  // namespace hyperscale::runtime

// The sandbox of a process that runs a user's script, in two steps.
//
//   ...               load libraries, read certificates, make the loop's ring
//   enter_sandbox()   with one thread: no privileges, core dump, file writes, signals to others
//   ...               start the script engine
//   seal_sandbox()    before the first line of a script: no files, and only the system calls of call_filter.h
//
// The order matters: rules for files and privileges belong to threads, so they are set before the engine starts its
// own. The filter of system calls reaches all threads. Neither step can be undone.
//
// A kernel without Landlock or seccomp is not an error: the state records what is active, and the caller reports it.
// Any other failure is an error, and the process must not continue.
#pragma once

#include "base/result.h"
#include "runtime/sandbox/call_filter.h"

#include <string>

namespace hyperscale::runtime {

struct SandboxState {
  int landlock_version = 0;  // 0: not supported, only the filter blocks files
  bool filtered = false;     // system calls
};

// Keeps the user: a Unix socket has an owner.
enum class SandboxUser : std::uint8_t { kNobody, kSame };

Status enter_sandbox(SandboxUser user);
Result<SandboxState> seal_sandbox(Sockets sockets);

// What this kernel supports, without entering anything.
SandboxState sandbox_of_kernel();
// "seccomp and Landlock (version 7)"
std::string sandbox_text(const SandboxState& state);

}  // namespace hyperscale::runtime

// Which process a pid means: a pid is used again after its process has ended, but not with the same start time.
//
// Any thread; reads /proc.
#pragma once

#include "stream/policy/gc_policy.h"

#include <cstdint>
#include <optional>
#include <string>

namespace hyperscale::stream {

// When the process began, in nanoseconds since boot (to a clock tick); none when there is no such process, or when only
// its exit status is left.
std::optional<std::uint64_t> process_start_ns(std::uint64_t pid);

// What /proc shows of a pid.
struct ProcessLook {
  int error = 0;     // of looking; 0: the rest is filled in
  char state = '?';  // as in /proc/PID/stat
  std::uint64_t start_ns = 0;
};

// Whether the process that began at that time lives. One that may not be looked at is alive: only what is known to be
// over is dead.
Owner owner_by(const ProcessLook& look, std::uint64_t started_ns);

// What a superblock's pid and start time say about the owner of its epoch.
Owner owner_state(std::uint64_t pid, std::uint64_t started_ns);

// Tells pid namespaces apart: pids of another one mean nothing here.
std::string pid_namespace();

}  // namespace hyperscale::stream

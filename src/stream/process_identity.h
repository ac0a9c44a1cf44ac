// Identity of a process: its pid and start time, because a pid is reused after its process has ended.
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

// Whether the process that began at that time is alive. One that cannot be inspected counts as alive.
Owner owner_by(const ProcessLook& look, std::uint64_t started_ns);

// State of an epoch's owner from the pid and start time in its superblock.
Owner owner_state(std::uint64_t pid, std::uint64_t started_ns);

// Identifies a pid namespace: pids of another one are meaningless here.
std::string pid_namespace();

}  // namespace hyperscale::stream

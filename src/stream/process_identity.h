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

// What a superblock's pid and start time say about the owner of its epoch.
Owner owner_state(std::uint64_t pid, std::uint64_t started_ns);

// Tells pid namespaces apart: pids of another one mean nothing here.
std::string pid_namespace();

}  // namespace hyperscale::stream

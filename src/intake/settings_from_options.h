// Builds the settings that do not depend on the requests of a run: connections, tags, seed, executors, event loop, time
// limit; and checks whether its users fit the machine.
//
// Reads the files that the options name; otherwise pure. Any thread. A failure is kInvalidArgument with the one
// sentence that the user sees.
#pragma once

#include "base/result.h"
#include "intake/run_options.h"
#include "plan/loop_backend.h"
#include "plan/plan.h"

#include <cstdint>

namespace hyperscale::intake {

// Limits of the machine for a plan.
struct Machine {
  std::uint64_t descriptors_max = 1024;  // of one process
  std::uint32_t cores = 1;               // usable by this process
};

// Descriptors of an executor in addition to its users' connections.
inline constexpr std::uint64_t kSpareDescriptors = 50;
// Reserved when the descriptor limit determines the pool of an open loop.
inline constexpr std::uint64_t kOpenPoolSpare = 100;

struct RunSettings {
  plan::Plan plan;              // without steps and load
  std::uint32_t executors = 1;  // as requested, or one per core
  plan::LoopBackend backend = plan::LoopBackend::kAuto;
  Duration time_limit{};  // zero: none
};
Result<RunSettings> settings_of(const RunOptions& options, const Machine& machine);

// Default number of users of an open loop.
std::uint32_t open_vus_default(const Machine& machine);

// Every user may have a connection open, and users are spread over the executors. `option`: source of the number.
Status check_descriptors(std::string_view option, std::uint32_t vus, std::uint32_t executors, const Machine& machine);

}  // namespace hyperscale::intake

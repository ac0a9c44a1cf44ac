// What a run has whatever it sends: connections, tags, seed, executors, event loop, time limit, out of options; and
// whether its users fit the machine.
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

// What a plan has to fit.
struct Machine {
  std::uint64_t descriptors_max = 1024;  // of one process
  std::uint32_t cores = 1;               // that this process may use
};

// Descriptors of an executor beside those of its users' connections.
inline constexpr std::uint64_t kSpareDescriptors = 50;
// Left free when the pool of an open loop is sized by the limit of descriptors.
inline constexpr std::uint64_t kOpenPoolSpare = 100;

struct RunSettings {
  plan::Plan plan;              // without steps and load
  std::uint32_t executors = 1;  // that were asked for, or one for each core
  plan::LoopBackend backend = plan::LoopBackend::kAuto;
  Duration time_limit{};  // zero: none
};
Result<RunSettings> settings_of(const RunOptions& options, const Machine& machine);

// Users of an open loop whose number nobody gave.
std::uint32_t open_vus_default(const Machine& machine);

// Every user may have a connection open, and users are spread over the executors. `option` is where the number is from.
Status check_descriptors(std::string_view option, std::uint32_t vus, std::uint32_t executors, const Machine& machine);

}  // namespace hyperscale::intake

// Client of the control socket of a run of this user, for `hyperscale ctl`. Blocking; any thread.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::node {

inline constexpr Duration kControlPatience = 5s;

// Returns the answer of the run. kNotFound if no process listens at the socket, kTimeout if the run does not answer.
Result<std::string> ask_run(const std::string& socket_path, std::string_view method, ByteView body = {},
                            Duration patience = kControlPatience);

// Runs whose process exists, oldest first; a suspended run is included but does not answer. Removes the sockets of
// killed runs.
std::vector<std::string> living_runs(const std::string& folder);

struct ControlOptions {
  std::string run;                               // empty: the newest
  std::string action;                            // status, stop, list, token, or a change of the load
  std::string workflow;                          // empty: all, or the only one
  std::optional<std::uint64_t> basis_tick = {};  // a change is refused if the run is far past it
};

// `hyperscale ctl [RUN] ACTION`: prints the answer; returns the exit code.
int control_command(const ControlOptions& options);

}  // namespace hyperscale::node

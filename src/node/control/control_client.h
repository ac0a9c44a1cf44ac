// Asking a running run of this user: what `hyperscale ctl` does. Blocking; any thread.
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

// The answer of the run behind the socket. kNotFound when nobody listens there, kTimeout when nobody answers.
Result<std::string> ask_run(const std::string& socket_path, std::string_view method, ByteView body = {},
                            Duration patience = kControlPatience);

// The runs of which there is a process, oldest first; one that is suspended does not answer. Sockets that killed runs
// left behind are removed.
std::vector<std::string> living_runs(const std::string& folder);

struct ControlOptions {
  std::string run;                               // empty: the newest
  std::string action;                            // status, stop, list, or a change of the load
  std::string workflow;                          // that is to be changed; empty: all, or the only one
  std::optional<std::uint64_t> basis_tick = {};  // a change is refused when the run is far past it
};

// `hyperscale ctl [RUN] ACTION`: prints the answer and gives the exit code.
int control_command(const ControlOptions& options);

}  // namespace hyperscale::node

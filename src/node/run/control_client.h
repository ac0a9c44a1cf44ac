// Asking a running run of this user: what `hyperscale ctl` does. Blocking; any thread.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::node {

inline constexpr Duration kControlPatience = 5s;

// The answer of the run behind the socket. kNotFound when nobody listens there, kTimeout when nobody answers.
Result<std::string> ask_run(const std::string& socket_path, std::string_view method,
                            Duration patience = kControlPatience, ByteView body = {});

// The runs that answer, oldest first; sockets that killed runs left behind are passed over.
std::vector<std::string> living_runs(const std::string& folder);

// `hyperscale ctl [RUN] status|stop|list`: prints the answer and gives the exit code. An empty `run` is the newest.
int control_command(const std::string& run, const std::string& action);

}  // namespace hyperscale::node

// Starts a node from a command line: reads flags, environment and file, checks them, and runs the node or only checks
// or prints the configuration. Errors go to standard error, with the fix. Thread rule: the main thread, before any
// other thread exists: it removes the admin token from the environment.
#pragma once

#include "base/exit_code.h"

#include <string>
#include <utility>
#include <vector>

namespace hyperscale::node {

struct NodeLaunch {
  std::string command = "node";                            // for messages
  std::string config_path;                                 // empty: HYPERSCALE_CONFIG, or no file
  std::vector<std::string> sets;                           // "key=value", as given to --set
  std::vector<std::pair<std::string, std::string>> named;  // path -> value, from dedicated flags
  bool check_only = false;
  bool print_config = false;
};

// Does not return if a thread of the node could not be stopped: the process exits at once with the exit code.
ExitCode launch_node(const NodeLaunch& launch);

}  // namespace hyperscale::node

// From a command line to a running node: gathers flags, environment and file, checks them, and runs the node or only
// tells what would be run. Everything that is wrong goes to standard error in words a person can act on. Thread rule:
// call it on the main thread, before any other thread exists: it takes the admin token out of the environment.
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
  std::vector<std::pair<std::string, std::string>> named;  // path -> value, from flags with a name of their own
  bool check_only = false;
  bool print_config = false;
};

// Does not return when a thread of the node could not be stopped: the process then ends with the exit code at once.
ExitCode launch_node(const NodeLaunch& launch);

}  // namespace hyperscale::node

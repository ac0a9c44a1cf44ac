// `hyperscale check FILE`: shows what a workflow file would run, without running it. A child process reads the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::app {

struct CheckOptions {
  std::string file;
  std::vector<std::string> env;      // NAME=VALUE
  std::vector<std::string> secrets;  // NAME=VALUE
  std::string cores;                 // empty: those that this process may use
  bool json = false;
};

// Returns 0: it can be run; 2: it has errors, or the options are wrong.
int check_command(const CheckOptions& options);

}  // namespace hyperscale::app

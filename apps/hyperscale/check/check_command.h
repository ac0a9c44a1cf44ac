// `hyperscale check FILE`: what a workflow file would run, without running it. The file is read in a child process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::app {

struct CheckOptions {
  std::string file;
  std::vector<std::string> env;      // NAME=VALUE
  std::vector<std::string> secrets;  // the same
  std::string cores;                 // empty: those that this process may use
  bool json = false;
};

// 0: it can be run; 2: it has mistakes, or the options are wrong.
int check_command(const CheckOptions& options);

}  // namespace hyperscale::app

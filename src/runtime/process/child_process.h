// Starts child processes: a child inherits only the given descriptors and environment, and standard error. All children
// start here, except nodes of a local fleet and the sandbox self-test; nothing is copied by fork here.
//
// Any thread. All children are started by one thread that lives as long as the process, because the kernel sends the
// parent death signal (PR_SET_PDEATHSIG) when the thread that started the child ends.
#pragma once

#include "base/result.h"

#include <string>
#include <vector>

#include <sys/types.h>

namespace hyperscale::runtime {

// Number of the first given descriptor in the child. Standard input and output are /dev/null, standard error is the
// parent's.
inline constexpr int kChildFirstFd = 3;

// This program, even if its file was replaced or deleted.
inline constexpr const char* kOwnProgram = "/proc/self/exe";

struct ChildSetup {
  std::string program = {};                   // path
  std::vector<std::string> arguments = {};    // from argv[0] on
  std::vector<std::string> environment = {};  // "NAME=VALUE"
  std::vector<int> descriptors = {};  // in the child from kChildFirstFd on, in this order; stay open in the parent
  int core = -1;                      // to run on; negative: inherited
  bool own_session = false;           // signals of the parent's terminal and group do not reach it
};

// kBusy if no process can be created or its program cannot be run. The caller reaps the child.
Result<pid_t> start_child(const ChildSetup& setup);

}  // namespace hyperscale::runtime

// Starting a child process: a program with the descriptors and the environment that it is given, and nothing else of
// its parent. The only place that makes processes of this program; nothing is copied by fork.
//
// Any thread. All children are started by one thread that lives as long as the process: the kernel sends the signal
// that a child ordered for its parent's death (PR_SET_PDEATHSIG) when the thread that started it ends.
#pragma once

#include "base/result.h"

#include <string>
#include <vector>

#include <sys/types.h>

namespace hyperscale::runtime {

// The number of the first descriptor that a child is given. Standard input and output are /dev/null, standard error is
// the parent's.
inline constexpr int kChildFirstFd = 3;

// This program, whatever has become of its file.
inline constexpr const char* kOwnProgram = "/proc/self/exe";

struct ChildSetup {
  std::string program = {};                   // path
  std::vector<std::string> arguments = {};    // from argv[0] on
  std::vector<std::string> environment = {};  // "NAME=VALUE"
  std::vector<int> descriptors = {};  // in the child from kChildFirstFd on, in this order; stay open in the parent
  int core = -1;                      // to run on; negative: as the parent
  bool own_session = false;           // signals of the parent's terminal and group do not reach it
};

// kBusy when there is no room for a process, or when its program cannot be run. The caller reaps it.
Result<pid_t> start_child(const ChildSetup& setup);

}  // namespace hyperscale::runtime

// Starting an executor process: a copy of this program with a few descriptors, the environment of runtime/sandbox, and
// nothing else of its parent.
//
// Any thread, but a child is killed when the thread that started it ends: start children from one that stays. Failing
// to run the program shows as exit status kExecFailed of the child.
#pragma once

#include "base/result.h"

#include <array>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hyperscale::node {

// What the child finds its descriptors under: the socket, one per region of its stream, then the numbers of iterations
// that all executors of a workflow share. Standard input and output are /dev/null,
// standard error is shared.
inline constexpr int kChildControlFd = 3;
inline constexpr int kChildRegionFd = 4;
inline constexpr int kChildRegions = 4;
inline constexpr int kExecFailed = 127;

struct ChildSetup {
  std::string program;                 // path
  std::vector<std::string> arguments;  // from argv[0] on
  int control_fd = -1;                 // stay open in the parent
  std::array<int, kChildRegions> region_fds{};
  int core = -1;  // to run on; negative: as the parent
};

Result<pid_t> start_child(const ChildSetup& setup);

}  // namespace hyperscale::node

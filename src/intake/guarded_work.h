// run_guarded_work: the body of a process that runs a user's script for its parent (`hyperscale executor --work`). What
// the script does, looping, allocating, crashing, ends this process only; guarded_child.h is the parent's end.
//
// Single-threaded; owns the process, and ends it. The work is in the sandbox of runtime/sandbox before it runs: no
// privileges, no files, no sockets unless it has a right to some. Files are opened by the parent and come as
// descriptors.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"
#include "runtime/sandbox/sandbox.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hyperscale::intake {

// Of a failure that is reported; what is longer is cut.
inline constexpr std::size_t kChildErrorBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kGuardedRequestBytesMax = std::size_t{320} << 20;

struct WorkRights {
  runtime::Sockets sockets = runtime::Sockets::kNone;
  runtime::SandboxUser user = runtime::SandboxUser::kNobody;
  // What the work needs of the system. `load` reads libraries and files, still as the user and with one thread; `start`
  // may make threads.
  std::function<Status()> load = [] { return Status(); };
  std::function<Status()> start = [] { return Status(); };
};

struct GuardedWork {
  WorkRights rights;
  std::function<Result<std::vector<std::uint8_t>>()> run;
};

// Reads the words after the name, and the request, which are the parent's and trusted.
using PrepareWork =
    std::function<Result<GuardedWork>(std::span<const std::string> words, std::vector<std::uint8_t> request)>;
using GuardedWorks = std::vector<std::pair<std::string, PrepareWork>>;

// `words` is the name of the work and what it is told. Does not return.
int run_guarded_work(int control_fd, std::span<const std::string> words, const GuardedWorks& works);

// For work: a file, if the parent allows it.
Result<OwnedFd> open_in_parent(const std::string& path);

}  // namespace hyperscale::intake

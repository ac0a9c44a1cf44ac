// run_guarded_work: runs a user's script in a process of its own (`hyperscale executor --work`). Endless loops,
// excessive memory and crashes of the script end only this process; guarded_child.h is the parent's side.
//
// Single-threaded; owns the process, and ends it. The work runs in the sandbox of runtime/sandbox: no privileges, no
// files, no sockets unless its rights allow them. The parent opens files and sends descriptors.
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

// Maximum length of a reported failure; longer ones are cut.
inline constexpr std::size_t kChildErrorBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kGuardedRequestBytesMax = std::size_t{320} << 20;

struct WorkRights {
  runtime::Sockets sockets = runtime::Sockets::kNone;
  runtime::SandboxUser user = runtime::SandboxUser::kNobody;
  // What the work needs from the system. `load` reads libraries and files, still as the original user and with one
  // thread; `start` may create threads.
  std::function<Status()> load = [] { return Status(); };
  std::function<Status()> start = [] { return Status(); };
};

struct GuardedWork {
  WorkRights rights;
  std::function<Result<std::vector<std::uint8_t>>()> run;
};

// Parses the words after the name, and the request; both come from the parent and are trusted.
using PrepareWork =
    std::function<Result<GuardedWork>(std::span<const std::string> words, std::vector<std::uint8_t> request)>;
using GuardedWorks = std::vector<std::pair<std::string, PrepareWork>>;

// `words`: name of the work and its arguments. Does not return.
int run_guarded_work(int control_fd, std::span<const std::string> words, const GuardedWorks& works);

// For work: opens a file, if the parent allows it.
Result<OwnedFd> open_in_parent(const std::string& path);

}  // namespace hyperscale::intake

// answer_of_child: runs work that may crash (a user's script) in a separate process and returns its answer
// (guarded_work.h).
//
// Blocking; any thread. Endless loops, excessive memory and crashes of the child become one sentence here, and the
// child has ended when this returns. It dies with this process, so Ctrl-C needs no handling.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hyperscale::intake {

struct ChildLimits {
  Duration answer_within = 15s;
  std::uint64_t resident_bytes = std::uint64_t{2} << 30;
  std::size_t answer_bytes = std::size_t{288} << 20;
};

// Maximum of files that a child may request.
inline constexpr std::size_t kChildFilesMax = 100'000;

struct ChildTask {
  std::string file;                   // the subject of the work; error sentences begin with it
  std::vector<std::string> work;      // its name and arguments; visible to all users of the machine
  std::vector<std::uint8_t> request;  // not visible to other users
};

// Runs in this process for each file that the child requests, with any path: it decides whether to open it.
using OpenForChild = std::function<Result<OwnedFd>(const std::string& path)>;

// An error of the work is returned unchanged, as kInvalidArgument.
Result<std::vector<std::uint8_t>> answer_of_child(const ChildTask& task, const OpenForChild& open,
                                                  const ChildLimits& limits = {});

}  // namespace hyperscale::intake

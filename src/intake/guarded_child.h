// answer_of_child: work that may take this process down (a user's script) is done by a process of its own instead,
// which sends its answer back (guarded_work.h).
//
// Blocking; any thread. Whatever the child does to itself, looping, allocating, crashing, becomes one sentence here,
// and it is gone when this returns. It dies with this process, so Ctrl-C needs nothing more.
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

// Files that a child asks for.
inline constexpr std::size_t kChildFilesMax = 100'000;

struct ChildTask {
  std::string file;                   // what the work is about; begins the sentences
  std::vector<std::string> work;      // its name and what it is told; everybody on the machine can see that
  std::vector<std::uint8_t> request;  // nobody else can see this
};

// Runs in this process for each file that the child asks for, which may be any path: it decides.
using OpenForChild = std::function<Result<OwnedFd>(const std::string& path)>;

// What the work fails with comes back as it is, as kInvalidArgument.
Result<std::vector<std::uint8_t>> answer_of_child(const ChildTask& task, const OpenForChild& open,
                                                  const ChildLimits& limits = {});

}  // namespace hyperscale::intake

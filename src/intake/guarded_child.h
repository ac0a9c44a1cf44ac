// answer_of_child: work that may take this process down (a user's script) is done by a copy of it instead, which sends
// its answer back.
//
// Blocking; call where this process has one thread only (CHECKed): the copy has none of the others, and their locks
// would stay locked in it. The child has no more than the answer to say: whatever it does to itself, looping,
// allocating, crashing, becomes one sentence here, and it is gone when this returns. It dies with this process, so
// Ctrl-C needs nothing more.
//
// The child is in the sandbox of runtime/sandbox before the work begins: no privileges, no environment, no files, no
// sockets unless it is given some. Files are opened for it here, by its rights, and come to it as descriptors.
#pragma once

#include "base/bytes.h"
#include "base/owned_fd.h"
#include "base/result.h"
#include "base/time.h"
#include "runtime/sandbox/sandbox.h"

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

// Of a failure that the child reports; what is longer is cut.
inline constexpr std::size_t kChildErrorBytesMax = std::size_t{1} << 20;

// Files that a child asks for.
inline constexpr std::size_t kChildFilesMax = 100'000;

using ChildWork = std::function<Result<std::vector<std::uint8_t>>()>;

struct ChildRights {
  runtime::Sockets sockets = runtime::Sockets::kNone;
  runtime::SandboxUser user = runtime::SandboxUser::kNobody;
  // What the work needs of the system; in the child. `load` reads libraries and files, still as the user and with one
  // thread; `start` may make threads.
  std::function<Status()> load = [] { return Status(); };
  std::function<Status()> start = [] { return Status(); };
  // Runs in this process for each file that the child asks for, which may be any path: it decides.
  std::function<Result<OwnedFd>(const std::string& path)> open = [](const std::string& path) {
    return Result<OwnedFd>(fail(ErrorCode::kUnauthorized, "cannot read " + path + ": not allowed here"));
  };
};

// For work, in the child: a file by ChildRights::open.
Result<OwnedFd> open_in_parent(const std::string& path);

// `file` is what the work is about and begins the sentences. What the work fails with comes back as it is, as
// kInvalidArgument.
Result<std::vector<std::uint8_t>> answer_of_child(const std::string& file, const ChildWork& work,
                                                  const ChildLimits& limits = {}, const ChildRights& rights = {});

}  // namespace hyperscale::intake

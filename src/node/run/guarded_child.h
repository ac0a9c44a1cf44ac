// answer_of_child: work that may take this process down (a user's script) is done by a copy of it instead, which sends
// its answer back.
//
// Blocking; call where this process has one thread only (CHECKed): the copy has none of the others, and their locks
// would stay locked in it. The child has no more than the answer to say: whatever it does to itself, looping,
// allocating, crashing, becomes one sentence here, and it is gone when this returns. It dies with this process, so
// Ctrl-C needs nothing more.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hyperscale::node {

struct ChildLimits {
  Duration answer_within = 15s;
  std::uint64_t resident_bytes = std::uint64_t{2} << 30;
  std::size_t answer_bytes = std::size_t{288} << 20;
};

// Of a failure that the child reports; what is longer is cut.
inline constexpr std::size_t kChildErrorBytesMax = std::size_t{1} << 20;

using ChildWork = std::function<Result<std::vector<std::uint8_t>>()>;

// `file` is what the work is about and begins the sentences. What the work fails with comes back as it is, as
// kInvalidArgument.
Result<std::vector<std::uint8_t>> answer_of_child(const std::string& file, const ChildWork& work,
                                                  const ChildLimits& limits = {});

}  // namespace hyperscale::node

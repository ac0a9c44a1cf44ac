// Messages between a process that works on a script and its parent; guarded_child.h and guarded_work.h are the two
// sides.
//
// The parent sends the request: its size (8 bytes) and its bytes. The child may request files: kOpen, the length of the
// path (4 bytes), the path; the parent answers kOpened with the descriptor, or kFailed, a length and the reason.
// Finally the child sends kDone and the answer, or kFailed and a sentence, and ends.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hyperscale::intake {

enum class Verdict : std::uint8_t { kDone = 'D', kFailed = 'F', kOpen = 'O', kOpened = 'o' };

inline constexpr std::size_t kGuardedPathBytesMax = 4096;
inline constexpr std::size_t kGuardedOpenHeadBytes = 1 + sizeof(std::uint32_t);

}  // namespace hyperscale::intake

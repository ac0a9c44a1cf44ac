// AnswerEnd: finds the end of an answer (plan/raw_request.h has the rules) in any split of its bytes.
//
// Immutable and shared by all exchanges of a call; Progress holds the state of one exchange. Any thread.
#pragma once

#include "base/bytes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::load {

class AnswerEnd {
 public:
  struct Progress {
    std::uint64_t read = 0;     // bytes of the answer
    std::uint32_t matched = 0;  // bytes of `until` that match the end of the answer so far
  };
  struct Taken {
    std::size_t size = 0;  // bytes that belong to the answer
    bool done = false;     // the answer ends there
  };

  AnswerEnd() = default;
  AnswerEnd(std::string until, std::uint64_t read_bytes);

  // Scans more bytes of a stream. REQUIRES: they are not empty, and the answer has not ended.
  Taken take(ByteView bytes, Progress& progress) const;
  // Whether a datagram is the last of its answer.
  bool ends_with(ByteView datagram) const;

 private:
  Taken look_for(ByteView bytes, Progress& progress) const;

  std::string until_;
  std::vector<std::uint32_t> fallback_;  // Knuth-Morris-Pratt: how much stays matched after a mismatch
  std::uint64_t read_bytes_ = 0;
};

}  // namespace hyperscale::load

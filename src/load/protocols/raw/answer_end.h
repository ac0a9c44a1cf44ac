// AnswerEnd: where an answer ends (plan/raw_request.h has the rules), found in any split of the bytes.
//
// Immutable and shared by all exchanges of a call; what an exchange has seen so far is its Progress. Any thread.
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
    std::uint32_t matched = 0;  // how much of `until` the last of them are
  };
  struct Taken {
    std::size_t size = 0;  // what of the bytes belongs to the answer
    bool done = false;     // it ends there
  };

  AnswerEnd() = default;
  AnswerEnd(std::string until, std::uint64_t read_bytes);

  // More bytes of a stream. REQUIRES: they are not empty, and the answer has not ended.
  Taken take(ByteView bytes, Progress& progress) const;
  // Whether a datagram is the last of its answer.
  bool ends_with(ByteView datagram) const;

 private:
  Taken look_for(ByteView bytes, Progress& progress) const;

  std::string until_;
  std::vector<std::uint32_t> fallback_;  // Knuth, Morris and Pratt: what stays matched when the next byte does not fit
  std::uint64_t read_bytes_ = 0;
};

}  // namespace hyperscale::load

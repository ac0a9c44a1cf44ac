#include "load/protocols/raw/answer_end.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace hyperscale::load {

AnswerEnd::AnswerEnd(std::string until, std::uint64_t read_bytes)
    : until_(std::move(until)), fallback_(until_.size(), 0), read_bytes_(read_bytes) {
  for (std::uint32_t i = 1, matched = 0; i < until_.size(); ++i) {
    while (matched > 0 && until_[i] != until_[matched]) matched = fallback_[matched - 1];
    if (until_[i] == until_[matched]) ++matched;
    fallback_[i] = matched;
  }
}

AnswerEnd::Taken AnswerEnd::take(ByteView bytes, Progress& progress) const {
  Taken taken{.size = bytes.size(), .done = true};
  if (!until_.empty()) {
    taken = look_for(bytes, progress);
  } else if (read_bytes_ > 0) {
    const std::uint64_t left = read_bytes_ - progress.read;
    taken.size = static_cast<std::size_t>(std::min<std::uint64_t>(left, bytes.size()));
    taken.done = taken.size == left;
  }
  progress.read += taken.size;
  return taken;
}

AnswerEnd::Taken AnswerEnd::look_for(ByteView bytes, Progress& progress) const {
  std::uint32_t matched = progress.matched;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (matched == 0) {
      const void* first = std::memchr(bytes.data() + i, until_[0], bytes.size() - i);
      if (first == nullptr) break;
      i = static_cast<std::size_t>(static_cast<const std::uint8_t*>(first) - bytes.data());
    }
    const char byte = static_cast<char>(bytes[i]);
    while (matched > 0 && until_[matched] != byte) matched = fallback_[matched - 1];
    if (until_[matched] == byte) ++matched;
    if (matched == until_.size()) return {.size = i + 1, .done = true};
  }
  progress.matched = matched;
  return {.size = bytes.size(), .done = false};
}

bool AnswerEnd::ends_with(ByteView datagram) const {
  const std::string_view text(reinterpret_cast<const char*>(datagram.data()), datagram.size());
  return until_.empty() || text.find(until_) != std::string_view::npos;
}

}  // namespace hyperscale::load

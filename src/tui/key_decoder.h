// KeyDecoder: parses bytes of a terminal into keys. Escape sequences may be split over reads anywhere.
//
// Single-threaded, no I/O, no clock. Unused sequences (mouse, paste marks, replies of the terminal), invalid UTF-8 and
// control characters without a meaning are skipped. An escape byte is a key only if nothing follows: call flush() after
// some time without input.
#pragma once

#include "tui/key.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::tui {

class KeyDecoder {
 public:
  static constexpr std::size_t kSequenceBytesMax = 32;  // longer ones are dropped as invalid

  // Keys completed by these bytes, in order.
  std::vector<Key> feed(std::string_view bytes);
  // True while an unfinished sequence is buffered.
  bool is_waiting() const { return !held_.empty(); }
  // No more bytes will come: a buffered escape becomes the Escape key, other unfinished bytes are dropped.
  std::vector<Key> flush();

 private:
  // Bytes that the first key or invalid sequence uses; 0 while it is incomplete.
  std::size_t take_one(std::string_view bytes, std::vector<Key>& keys);
  std::size_t take_escape(std::string_view bytes, std::vector<Key>& keys);
  std::string held_;
};

}  // namespace hyperscale::tui

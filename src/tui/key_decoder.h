// KeyDecoder: bytes of a terminal into keys. Escape sequences may be split over reads at any place.
//
// Single-threaded, no I/O, no clock. Sequences that mean nothing here (mouse, paste marks, answers of the terminal),
// invalid UTF-8 and control characters without a meaning are skipped. An escape byte alone is a key only when nothing
// follows: call flush() when a while has passed without input.
#pragma once

#include "tui/key.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::tui {

class KeyDecoder {
 public:
  static constexpr std::size_t kSequenceBytesMax = 32;  // a longer one is garbage and is dropped

  // Keys that are complete with these bytes, in order.
  std::vector<Key> feed(std::string_view bytes);
  // Whether bytes of an unfinished sequence are held.
  bool is_waiting() const { return !held_.empty(); }
  // No more bytes will come: an escape that was held is the Escape key, other rests are dropped.
  std::vector<Key> flush();

 private:
  // Bytes that the first key (or piece of garbage) takes; 0 while it is incomplete.
  std::size_t take_one(std::string_view bytes, std::vector<Key>& keys);
  std::size_t take_escape(std::string_view bytes, std::vector<Key>& keys);
  std::string held_;
};

}  // namespace hyperscale::tui

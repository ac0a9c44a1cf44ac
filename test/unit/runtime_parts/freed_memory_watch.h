// Looks at every block that this program gives back with operator delete, just before, while the block is still its
// own: one that still holds the mark was not overwritten. Sound under AddressSanitizer, and it sees what the code under
// test really frees, with no hook in that code. Thread rule: one watch at a time; blocks of all threads are looked at.
#pragma once

#include <string_view>

namespace hyperscale::runtime {

inline constexpr std::string_view kFreedMemoryMark = "\xA5result that must not stay in memory\x5A";

class FreedMemoryWatch {
 public:
  // False in a build that cannot look, which is one with ThreadSanitizer.
  static bool possible();

  FreedMemoryWatch();
  ~FreedMemoryWatch();
  FreedMemoryWatch(const FreedMemoryWatch&) = delete;
  FreedMemoryWatch& operator=(const FreedMemoryWatch&) = delete;

  // Blocks given back with the mark still in them since the watch began.
  int unwiped() const;
};

}  // namespace hyperscale::runtime

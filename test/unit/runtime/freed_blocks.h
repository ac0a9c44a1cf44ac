// FreedBlocks: looks at every block that this program gives back with operator delete, just before it is freed.
// Thread rule: one at a time; blocks of all threads are looked at.
#pragma once

#include <string>
#include <string_view>

namespace hyperscale::runtime {

class FreedBlocks {
 public:
  explicit FreedBlocks(std::string_view mark);
  ~FreedBlocks();
  FreedBlocks(const FreedBlocks&) = delete;
  FreedBlocks& operator=(const FreedBlocks&) = delete;

  std::string_view mark() const;
  int blocks() const;
  // How many still held the mark.
  int with_mark() const;
};

}  // namespace hyperscale::runtime

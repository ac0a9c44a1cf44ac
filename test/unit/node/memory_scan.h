// Looks for a text in all writable memory of this process, freed or not, without holding the text itself: a MaskedText
// is the text under a mask, so that the scan does not find its own needle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace hyperscale::node {

class MaskedText {
 public:
  // Random hexadecimal digits.
  explicit MaskedText(std::size_t size);
  // The hexadecimal SHA-256 of the text.
  MaskedText digest() const;

  std::size_t size() const { return masked_.size(); }
  // Writes the plain text to `out`, which the caller wipes.
  void reveal(char* out) const;
  char first() const;
  bool is_at(const char* memory) const;

 private:
  MaskedText() = default;
  std::string masked_;
};

struct MemoryScan {
  std::size_t bytes = 0;
  int found = 0;
  std::string where;  // the mappings of the finds, one per line
};

MemoryScan scan_memory(const MaskedText& text);

}  // namespace hyperscale::node

// A terminal as far as frames need one: applies the bytes of a FrameWriter to a grid and fails on anything else.
#pragma once

#include "tui/cells/screen.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::tui {

class TerminalModel {
 public:
  explicit TerminalModel(Size size) : size_(size), glyphs_(cells(), U' '), looks_(cells()) {}

  void apply(std::string_view bytes);

  // As Screen::text().
  std::string text() const;
  // The sequence that was on when the cell was written; empty for a blank that was never written.
  const std::string& look(int column, int row) const { return looks_[index(column, row)]; }
  const std::string& fault() const { return fault_; }  // empty when everything was understood
  std::size_t glyphs_written() const { return written_; }

 private:
  std::size_t cells() const { return static_cast<std::size_t>(size_.columns) * static_cast<std::size_t>(size_.rows); }
  std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_.columns) + static_cast<std::size_t>(column);
  }
  std::size_t sequence(std::string_view bytes);
  void glyph(char32_t code);
  void fail(std::string what) {
    if (fault_.empty()) fault_ = std::move(what);
  }

  Size size_;
  std::vector<char32_t> glyphs_;  // 0: the right half of a wide one
  std::vector<std::string> looks_;
  std::string look_;
  int column_ = 0, row_ = 0;
  bool updating_ = false;
  std::size_t written_ = 0;
  std::string fault_;
};

}  // namespace hyperscale::tui

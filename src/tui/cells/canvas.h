// Canvas: the part of a screen that a widget may draw on. Positions are relative to it, and nothing it is asked to draw
// gets outside: that is why no widget can overflow.
//
// Single-threaded; REQUIRES that the screen outlives it. Text is taken to be foreign: control characters, escape
// sequences and invalid bytes become visible (base/terminal_text.h), and what is too long ends in an ellipsis.
#pragma once

#include "base/glyphs.h"
#include "tui/cells/screen.h"

#include <string_view>

namespace hyperscale::tui {

class Canvas {
 public:
  Canvas(Screen& screen, Area area, Glyphs glyphs);

  int width() const { return area_.width; }
  int height() const { return area_.height; }
  Glyphs glyphs() const { return glyphs_; }
  bool is_ascii() const { return glyphs_ == Glyphs::kAscii; }

  // A canvas on a part of this one; `area` is relative to it.
  Canvas part(Area area) const;
  Canvas row(int y) const { return part({0, y, width(), 1}); }

  // At most `width` cells of text from `x` on; returns how many were used.
  int text(int x, int y, int width, std::string_view text, Role role);
  int text(int x, int y, std::string_view text, Role role) { return this->text(x, y, width() - x, text, role); }
  // The text ends before `right`; returns where it begins. Cut at the left edge of the canvas.
  int text_until(int right, int y, std::string_view text, Role role);
  // In the middle of the row.
  void centred(int y, std::string_view text, Role role);
  // One glyph of our own, with what stands for it where only ASCII may be used.
  void glyph(int x, int y, char32_t unicode, char ascii, Role role);
  void fill(Area area, char32_t unicode, char ascii, Role role);

 private:
  int put(int x, int y, int right, char32_t glyph, Role role);
  Screen& screen_;
  Area area_;  // on the screen
  Glyphs glyphs_;
};

// Cells that Canvas::text() would use for it, if there were room.
int text_cells(std::string_view text, Glyphs glyphs);

}  // namespace hyperscale::tui

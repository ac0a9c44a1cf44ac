// Canvas: the part of a screen that a widget may draw on. Positions are relative to it and drawing is clipped to it, so
// no widget can overflow.
//
// Single-threaded; REQUIRES that the screen outlives it. Text is untrusted: control characters, escape sequences and
// invalid bytes become visible (base/terminal_text.h), and long text is cut with an ellipsis.
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

  // Draws at most `width` cells of text from `x` on; returns the number of cells used.
  int text(int x, int y, int width, std::string_view text, Role role);
  int text(int x, int y, std::string_view text, Role role) { return this->text(x, y, width() - x, text, role); }
  // Draws text that ends before `right`; returns its first column. Cut at the left edge of the canvas.
  int text_until(int right, int y, std::string_view text, Role role);
  // Draws text in the middle of the row.
  void centred(int y, std::string_view text, Role role);
  // Draws a trusted glyph, or its replacement if only ASCII is allowed.
  void glyph(int x, int y, char32_t unicode, char ascii, Role role);
  void fill(Area area, char32_t unicode, char ascii, Role role);

 private:
  int put(int x, int y, int right, char32_t glyph, Role role);
  Screen& screen_;
  Area area_;  // on the screen
  Glyphs glyphs_;
};

// Cells that Canvas::text() would use given enough width.
int text_cells(std::string_view text, Glyphs glyphs);

}  // namespace hyperscale::tui

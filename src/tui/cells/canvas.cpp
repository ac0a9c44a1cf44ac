#include "tui/cells/canvas.h"

#include "base/char_width.h"
#include "base/terminal_text.h"
#include "base/utf8.h"

namespace hyperscale::tui {
namespace {

// Most text is printable ASCII, which needs no copy.
bool is_printable_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

}  // namespace

Canvas::Canvas(Screen& screen, Area area, Glyphs glyphs)
    : screen_(screen), area_(screen.area().intersection(area)), glyphs_(glyphs) {}

Canvas Canvas::part(Area area) const {
  const Area moved{area_.x + area.x, area_.y + area.y, area.width, area.height};
  return {screen_, area_.intersection(moved), glyphs_};
}

int Canvas::put(int x, int y, int right, char32_t glyph, Role role) {
  if (x < 0 || y < 0 || y >= height() || x >= right) return 0;
  // A wide glyph that would cross the edge leaves its cell blank.
  if (x + static_cast<int>(cells_of(glyph)) > right) return 0;
  return screen_.put(area_.x + x, area_.y + y, glyph, role);
}

int Canvas::text(int x, int y, int width, std::string_view text, Role role) {
  const int right = std::min(this->width(), x + width);
  if (x < 0 || right <= x || y < 0 || y >= height()) return 0;
  if (is_printable_ascii(text) && static_cast<int>(text.size()) <= right - x) {
    for (const char c : text) x += put(x, y, right, static_cast<char32_t>(c), role);
    return static_cast<int>(text.size());
  }
  const std::string shown = cut(visible(text, glyphs_), static_cast<std::size_t>(right - x), glyphs_);
  const int begin = x;
  for (std::string_view rest = shown; !rest.empty();) {
    const Utf8Char next = first_char(rest);
    x += put(x, y, right, next.code, role);
    rest.remove_prefix(next.bytes);
  }
  return x - begin;
}

int Canvas::text_until(int right, int y, std::string_view text, Role role) {
  const int begin = std::max(0, std::min(right, width()) - text_cells(text, glyphs_));
  this->text(begin, y, right - begin, text, role);
  return begin;
}

void Canvas::centred(int y, std::string_view text, Role role) {
  this->text(std::max(0, (width() - text_cells(text, glyphs_)) / 2), y, text, role);
}

void Canvas::glyph(int x, int y, char32_t unicode, char ascii, Role role) {
  put(x, y, width(), is_ascii() ? static_cast<char32_t>(ascii) : unicode, role);
}

void Canvas::fill(Area area, char32_t unicode, char ascii, Role role) {
  const Area inside = Area{0, 0, width(), height()}.intersection(area);
  for (int y = inside.y; y < inside.y + inside.height; ++y) {
    for (int x = inside.x; x < inside.x + inside.width; ++x) glyph(x, y, unicode, ascii, role);
  }
}

int text_cells(std::string_view text, Glyphs glyphs) {
  if (is_printable_ascii(text)) return static_cast<int>(text.size());
  return static_cast<int>(cells(visible(text, glyphs)));
}

}  // namespace hyperscale::tui

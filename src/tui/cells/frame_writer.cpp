#include "tui/cells/frame_writer.h"

#include "base/append_format.h"

namespace hyperscale::tui {
namespace {

constexpr std::string_view kBeginUpdate = "\x1b[?2026h", kEndUpdate = "\x1b[?2026l";
constexpr std::string_view kWipe = "\x1b[0m\x1b[2J";
// Up to this many unchanged cells between changed ones are rewritten: moving the cursor costs as many bytes.
constexpr int kRewrittenMax = 3;

// Characters with the same width on all terminals: ASCII, Latin, and those that widgets draw with.
bool is_plain(char32_t glyph) {
  return glyph < 0x250 || (glyph >= 0x2190 && glyph <= 0x2193) || (glyph >= 0x2500 && glyph <= 0x259f) ||
         (glyph >= 0x2800 && glyph <= 0x28ff) || glyph == U'…' || glyph == U'•' || glyph == U'●';
}

}  // namespace

void FrameWriter::move_to(int x, int y, std::string& out) {
  if (x == cursor_x_ && y == cursor_y_) return;
  if (y == cursor_y_ && cursor_x_ >= 0 && x > cursor_x_) {
    append_format(out, "\x1b[{}C", x - cursor_x_);
  } else {
    append_format(out, "\x1b[{};{}H", y + 1, x + 1);
  }
  cursor_x_ = x;
  cursor_y_ = y;
}

void FrameWriter::write_cell(const Cell& cell, int x, int y, std::string& out) {
  move_to(x, y, out);
  if (role_ != cell.role) {
    out += theme_.sequence(cell.role);
    role_ = cell.role;
  }
  const bool wide = cell.part == CellPart::kLeftHalf;
  if (wide) {
    // Both cells are blanked first: a terminal that treats the glyph as narrow would keep the old right half.
    out += "  ";
    cursor_x_ = -1;
    move_to(x, y, out);
  }
  append_utf8(out, cell.glyph);
  cursor_x_ = wide || !is_plain(cell.glyph) ? -1 : x + 1;
}

void FrameWriter::write_row(std::span<const Cell> old_row, std::span<const Cell> row, int y, std::string& out) {
  const auto is_changed = [&](std::size_t x) { return old_row[x] != row[x]; };
  for (std::size_t x = 0; x < row.size(); ++x) {
    if (!is_changed(x)) continue;
    // The right half is written with the left one, and after it, as blanking might have changed only one.
    const std::size_t first = row[x].part == CellPart::kRightHalf ? x - 1 : x;
    if (y == cursor_y_ && cursor_x_ >= 0 && static_cast<int>(first) > cursor_x_ &&
        static_cast<int>(first) - cursor_x_ <= kRewrittenMax) {
      for (auto between = static_cast<std::size_t>(cursor_x_); between < first; ++between) {
        if (row[between].role != role_ || row[between].part != CellPart::kWhole || !is_plain(row[between].glyph)) break;
        write_cell(row[between], static_cast<int>(between), y, out);
      }
    }
    write_cell(row[first], static_cast<int>(first), y, out);
    if (row[first].part == CellPart::kLeftHalf) x = first + 1;
  }
  // Terminals differ in whether the cursor is still on the last column.
  if (cursor_x_ >= static_cast<int>(row.size())) cursor_x_ = -1;
}

void FrameWriter::write(const Screen& next, std::string& out) {
  if (shown_ == next) return;
  out += kBeginUpdate;
  cursor_x_ = cursor_y_ = -1;
  role_.reset();
  if (!shown_ || shown_->size() != next.size()) {
    out += kWipe;
    shown_.emplace(next.size());
  }
  for (int y = 0; y < next.size().rows; ++y) write_row(shown_->row(y), next.row(y), y, out);
  out += kEndUpdate;
  *shown_ = next;
}

std::string coloured_text(const Screen& screen, const Theme& theme) {
  std::string text;
  for (int y = 0; y < screen.size().rows; ++y) {
    std::optional<Role> role;
    for (const Cell& cell : screen.row(y)) {
      if (cell.part == CellPart::kRightHalf) continue;
      if (role != cell.role) text += theme.sequence(cell.role);
      role = cell.role;
      append_utf8(text, cell.glyph);
    }
    text += "\x1b[0m\n";
  }
  return text;
}

}  // namespace hyperscale::tui

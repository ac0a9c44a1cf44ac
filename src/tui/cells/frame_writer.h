// FrameWriter: encodes the difference between the shown screen and the next: only changed cells, inside one
// synchronized update, so that it does not flicker.
//
// Single-threaded, no I/O. It assumes that every returned frame reaches the terminal completely and in order; otherwise
// call forget(). Lines must not wrap automatically (terminal.h turns that off).
#pragma once

#include "tui/cells/screen.h"
#include "tui/cells/theme.h"

#include <optional>
#include <string>

namespace hyperscale::tui {

class FrameWriter {
 public:
  explicit FrameWriter(Theme theme) : theme_(std::move(theme)) {}

  // Appends the bytes to `out`; appends nothing if nothing changed.
  void write(const Screen& next, std::string& out);
  // The content of the terminal is unknown: the next frame wipes it and draws everything.
  void forget() { shown_.reset(); }

 private:
  void write_row(std::span<const Cell> old_row, std::span<const Cell> row, int y, std::string& out);
  void write_cell(const Cell& cell, int x, int y, std::string& out);
  void move_to(int x, int y, std::string& out);

  Theme theme_;
  std::optional<Screen> shown_;
  int cursor_x_ = -1, cursor_y_ = -1;  // -1: unknown
  std::optional<Role> role_;           // currently set
};

// A whole screen as coloured text, one line per row: for files and pictures.
std::string coloured_text(const Screen& screen, const Theme& theme);

}  // namespace hyperscale::tui

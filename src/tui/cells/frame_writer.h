// FrameWriter: the bytes that turn what a terminal shows into the next screen: only cells that changed, inside one
// synchronized update, so that nothing flickers.
//
// Single-threaded, no I/O. It assumes that every frame it returned reaches the terminal completely and in order; after
// anything else call forget(). Lines must not wrap by themselves (terminal.h turns that off).
#pragma once

#include "tui/cells/screen.h"
#include "tui/cells/theme.h"

#include <optional>
#include <string>

namespace hyperscale::tui {

class FrameWriter {
 public:
  explicit FrameWriter(Theme theme) : theme_(std::move(theme)) {}

  // Appends the bytes to `out`; nothing when nothing changed.
  void write(const Screen& next, std::string& out);
  // What the terminal shows is not known any more: the next frame wipes it and draws everything.
  void forget() { shown_.reset(); }

 private:
  void write_row(std::span<const Cell> old_row, std::span<const Cell> row, int y, std::string& out);
  void write_cell(const Cell& cell, int x, int y, std::string& out);
  void move_to(int x, int y, std::string& out);

  Theme theme_;
  std::optional<Screen> shown_;
  int cursor_x_ = -1, cursor_y_ = -1;  // -1: not known
  std::optional<Role> role_;           // that is on
};

// A whole screen as text with colours, one line per row: for files and pictures.
std::string coloured_text(const Screen& screen, const Theme& theme);

}  // namespace hyperscale::tui

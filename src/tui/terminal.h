// Terminal: switches the real terminal to the live screen: raw keys without echo, alternate screen, no cursor. It is
// restored on every way out (terminal_guard.h).
//
// Single-threaded; one at a time in a process. No call blocks: the terminal is opened again so that writes do not
// block, without changing the descriptors that other programs share. Bytes that it does not accept at once are kept;
// draw a new frame only when they are written (is_idle()). A closed terminal (closed window, lost connection) drops all
// output and is never an error: the run continues. Ctrl-C, Ctrl-Z and Ctrl-\ still send signals, so they work even when
// the program hangs.
//
//   auto terminal = Terminal::open(STDERR_FILENO);   // an error: use another way to show progress
//   while (running) {
//     poll {terminal->descriptor(), POLLIN} until the next frame is due
//     for (Action action : screen.input(terminal->read(), now)) ...
//     if (terminal->take_redraw()) screen.redraw();
//     if (screen.is_due(now) && terminal->is_idle()) terminal->write(screen.frame(view, terminal->size(), now));
//   }
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"
#include "tui/cells/area.h"

#include <memory>
#include <string>
#include <string_view>

namespace hyperscale::tui {

class Terminal {
 public:
  // Fails if `descriptor` is not a terminal, if this program runs in its background, or if it cannot be opened.
  static Result<std::unique_ptr<Terminal>> open(int descriptor);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Readable when a key was pressed.
  int descriptor() const { return own_.get(); }
  Size size() const;
  // Input since the last call; empty if none.
  std::string read();
  // True if all output is written, the terminal exists and the program is in the foreground. Retries pending output.
  bool is_idle();
  // REQUIRES: is_idle() was true.
  void write(std::string_view bytes);
  // True once after a resize or suspension: the terminal does not show what was written.
  bool take_redraw();
  bool is_gone() const { return gone_; }

 private:
  explicit Terminal(OwnedFd own) : own_(std::move(own)) {}
  void flush();

  OwnedFd own_;
  std::string rest_;  // not yet accepted by the terminal; at most one frame
  bool gone_ = false;
};

}  // namespace hyperscale::tui

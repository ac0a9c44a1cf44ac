// Terminal: the real one, while a live screen is on it: raw keys without echo, a screen of its own, no cursor. It is
// given back on every way out (terminal_guard.h).
//
// Single-threaded; one at a time in a process. Nothing here ever waits: the terminal is opened anew so that writes do
// not block, without changing the descriptors that other programs share. What it does not take at once is kept, and no
// new frame should be drawn until it is out (is_idle()). A terminal that is gone (closed window, lost connection)
// swallows everything and is never an error: the run goes on without it. Ctrl-C, Ctrl-Z and Ctrl-\ still are signals,
// so they work even when the program is stuck.
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
  // Fails when `descriptor` is no terminal, when this program is in the background there, or the terminal cannot be
  // opened.
  static Result<std::unique_ptr<Terminal>> open(int descriptor);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Readable when a key was pressed.
  int descriptor() const { return own_.get(); }
  Size size() const;
  // What was typed since the last call; empty when nothing was.
  std::string read();
  // Everything written is out, the terminal is there, and the program is in front. Tries to write what is left.
  bool is_idle();
  // REQUIRES: is_idle() was true.
  void write(std::string_view bytes);
  // What the terminal shows is not what was written: it has another size, or the program was suspended. True once.
  bool take_redraw();
  bool is_gone() const { return gone_; }

 private:
  explicit Terminal(OwnedFd own) : own_(std::move(own)) {}
  void flush();

  OwnedFd own_;
  std::string rest_;  // not yet taken by the terminal; at most one frame
  bool gone_ = false;
};

}  // namespace hyperscale::tui

#include "node/local/full_screen.h"

#include "base/errno_text.h"
#include "load/loop/event_loop.h"

#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace hyperscale::node {

using boost::system::error_code;
using load::EventLoop;

Result<std::unique_ptr<FullScreen>> FullScreen::open(asio::io_context& io, int descriptor,
                                                     const tui::LiveScreenOptions& options, Calls calls) {
  auto terminal = tui::Terminal::open(descriptor);
  if (!terminal) return fail(terminal.error());
  std::unique_ptr<FullScreen> screen(new FullScreen(io, std::move(*terminal), options, std::move(calls)));
  const int copy = ::dup(screen->terminal_->descriptor());
  if (copy < 0) return fail(ErrorCode::kUnavailable, fmt::format("the terminal cannot be read: {}", errno_text(errno)));
  screen->keys_.assign(copy);
  screen->await_keys();
  screen->draw();
  screen->await_frame();
  return screen;
}

FullScreen::FullScreen(asio::io_context& io, std::unique_ptr<tui::Terminal> terminal,
                       const tui::LiveScreenOptions& options, Calls calls)
    : terminal_(std::move(terminal)),
      screen_(options),
      interval_(options.refresh_interval),
      calls_(std::move(calls)),
      keys_(io),
      timer_(io) {}

FullScreen::~FullScreen() {
  draw();  // the last figures
}

void FullScreen::await_keys() {
  keys_.async_wait(asio::posix::stream_descriptor::wait_read, [this](error_code error) {
    if (error) return;
    const std::string typed = terminal_->read();
    if (typed.empty() && terminal_->is_gone()) return;
    for (const tui::Action action : screen_.input(typed, EventLoop::now()))
      calls_.act(action, screen_.control().workflow());
    await_keys();
  });
}

void FullScreen::await_frame() {
  timer_.expires_after(interval_);
  timer_.async_wait([this](error_code error) {
    if (error) return;
    draw();
    await_frame();
  });
}

void FullScreen::draw() {
  const MonoTime now = EventLoop::now();
  if (terminal_->take_redraw()) screen_.redraw();
  if (!terminal_->is_idle()) return;
  terminal_->write(screen_.frame(calls_.view(), terminal_->size(), now));
}

}  // namespace hyperscale::node

// Shows a made-up run on the terminal it is started on: tui_screens NAME [--moving]
//
// The screen stands still, so that it can be compared with a golden file, unless --moving is given. q leaves; + fails a
// CHECK, - throws, ] calls exit(): ways out on which the terminal has to be given back too.
#include "base/check.h"
#include "sample_views.h"
#include "tui/live_screen.h"
#include "tui/terminal.h"

#include <chrono>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace hyperscale::tui {
namespace {

MonoTime now() {
  return MonoTime::from_ns(std::chrono::steady_clock::now().time_since_epoch() / 1ns);
}

// False when it is time to leave.
bool act(Action action) {
  switch (action) {
    case Action::kStop:
      return false;
    case Action::kMoreUsers:
      CHECK(false, "asked for");
      break;
    case Action::kFewerUsers:
      throw std::runtime_error("asked for");
    case Action::kHigherRate:
      std::exit(0);  // NOLINT(concurrency-mt-unsafe)
    default:
      break;
  }
  return true;
}

int show(const GoldenScreen& golden, bool moving) {
  auto opened = Terminal::open(STDERR_FILENO);
  if (!opened) {
    fmt::print(stderr, "tui_screens: {}\n", opened.error().to_string());
    return 1;
  }
  Terminal& terminal = **opened;
  LiveScreen screen({.drawing = golden.drawing});
  live::LiveView view = golden.view();
  const MonoTime start = now();
  screen.frame(view, terminal.size(), start);
  screen.redraw();
  if (golden.state.held) screen.input(std::to_string(golden.state.workflow + 1), start);
  while (!terminal.is_gone()) {
    pollfd waited{.fd = terminal.descriptor(), .events = POLLIN, .revents = 0};
    ::poll(&waited, 1, static_cast<int>(kRefreshInterval / 1ms));
    const MonoTime time = moving ? now() : start + golden.state.animation;
    for (const Action action : screen.input(terminal.read(), time)) {
      if (!act(action)) return 0;
    }
    if (terminal.take_redraw()) screen.redraw();
    if (moving) {
      view.elapsed += kRefreshInterval;
      view.requests += static_cast<std::uint64_t>(view.rate_per_s / 30);
    }
    if (terminal.is_idle()) terminal.write(screen.frame(view, terminal.size(), time));
  }
  return 0;
}

}  // namespace
}  // namespace hyperscale::tui

int main(int argc, char** argv) {
  using namespace hyperscale::tui;
  if (argc < 2 || argc > 3) {
    fmt::print(stderr, "usage: tui_screens NAME [--moving]\n");
    for (const GoldenScreen& golden : golden_screens()) fmt::print(stderr, "  {}\n", golden.name);
    return 2;
  }
  return show(golden_screen(argv[1]), argc == 3);
}

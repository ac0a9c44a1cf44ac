// FullScreen: the live screen of a run on a terminal: draws frames, reads keys, restores the terminal at the end.
//
// Thread rule: the thread that runs `io`. Keys are passed on as actions. Never blocks on the terminal.
#pragma once

#include "base/result.h"
#include "tui/live_screen.h"
#include "tui/terminal.h"

#include <cstddef>
#include <functional>
#include <memory>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::node {

namespace asio = boost::asio;

class FullScreen {
 public:
  struct Calls {
    std::function<const live::LiveView&()> view;                 // current figures
    std::function<void(tui::Action, std::size_t workflow)> act;  // on the shown workflow
  };
  // Fails if `descriptor` is not a terminal that can show a screen.
  static Result<std::unique_ptr<FullScreen>> open(asio::io_context& io, int descriptor,
                                                  const tui::LiveScreenOptions& options, Calls calls);
  // Draws the last frame and restores the terminal.
  ~FullScreen();
  FullScreen(const FullScreen&) = delete;
  FullScreen& operator=(const FullScreen&) = delete;

 private:
  FullScreen(asio::io_context& io, std::unique_ptr<tui::Terminal> terminal, const tui::LiveScreenOptions& options,
             Calls calls);
  void await_keys();
  void await_frame();
  void draw();

  std::unique_ptr<tui::Terminal> terminal_;
  tui::LiveScreen screen_;
  const Duration interval_;
  const Calls calls_;
  asio::posix::stream_descriptor keys_;  // a copy of the terminal's descriptor
  asio::steady_timer timer_;
};

}  // namespace hyperscale::node

// FullScreen: the live screen of a run on a real terminal: frames, keys, and the terminal given back at the end.
//
// Thread rule: the one that runs `io`. What a person asks of the run comes as an action; nothing here ever waits for
// the terminal.
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
    std::function<const live::LiveView&()> view;                 // fresh figures
    std::function<void(tui::Action, std::size_t workflow)> act;  // for the workflow that is shown
  };
  // Fails when `descriptor` is no terminal that a screen can be shown on.
  static Result<std::unique_ptr<FullScreen>> open(asio::io_context& io, int descriptor,
                                                  const tui::LiveScreenOptions& options, Calls calls);
  // The terminal is as it was before.
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

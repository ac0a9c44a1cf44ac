// LiveScreen: turns a LiveView into bytes for a terminal: combines pressed keys, the shown workflow, the drawing and
// the difference to the previous frame.
//
// Single-threaded, no I/O, no clock: sizes, input and time are passed in. Every returned frame must reach the terminal,
// or redraw() must be called. A frame costs far less than a millisecond (bench/tui).
#pragma once

#include "tui/cells/frame_writer.h"
#include "tui/draw_screen.h"
#include "tui/key_decoder.h"
#include "tui/screen_control.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::tui {

inline constexpr Duration kRefreshInterval = 33ms;  // about 30 frames a second (UI-5)

struct LiveScreenOptions {
  Drawing drawing = {};
  Colours colours = Colours::k256;
  Duration refresh_interval = kRefreshInterval;
  Duration update_interval = kUpdateInterval;  // how long each workflow is shown before the next
};

class LiveScreen {
 public:
  explicit LiveScreen(const LiveScreenOptions& options);

  // True if the next frame is due.
  bool is_due(MonoTime now) const { return !last_frame_ || now - *last_frame_ >= options_.refresh_interval; }
  // The bytes of a frame, valid until the next call; empty if nothing has changed.
  std::string_view frame(const live::LiveView& view, Size size, MonoTime now);
  // The terminal shows other content: draws the next frame completely.
  void redraw() { writer_.forget(); }
  // Parses typed bytes; returns the actions that they request.
  std::vector<Action> input(std::string_view bytes, MonoTime now);
  const ScreenControl& control() const { return control_; }

 private:
  void press(const std::vector<Key>& keys, MonoTime now, std::vector<Action>& actions);

  LiveScreenOptions options_;
  ScreenControl control_;
  KeyDecoder decoder_;
  FrameWriter writer_;
  Screen screen_;
  std::string bytes_;
  std::optional<MonoTime> first_frame_, last_frame_;
  MonoTime last_input_;
};

}  // namespace hyperscale::tui

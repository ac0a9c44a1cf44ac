// LiveDisplay: what a person sees on standard error while a run goes on: a screen with keys on a terminal, a log line
// now and then elsewhere, or nothing.
//
// Single-threaded. Output that cannot be written is dropped: a run does not fail because nobody looks. Sentences that
// were said while the screen was up are written again when it is gone, so that nothing is lost with it.
#pragma once

#include "base/glyphs.h"
#include "base/time.h"
#include "node/local/full_screen.h"
#include "node/local/ui_mode.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::node {

inline constexpr Duration kCiInterval = 10s;

class LiveDisplay {
 public:
  // Writes to `descriptor`; `glyphs` says what the screen can show.
  LiveDisplay(UiMode mode, int descriptor, Glyphs glyphs, FullScreen::Calls calls);
  ~LiveDisplay();
  LiveDisplay(const LiveDisplay&) = delete;
  LiveDisplay& operator=(const LiveDisplay&) = delete;

  // Puts the screen up; a terminal that cannot show it gets lines.
  void open(asio::io_context& io);
  // Writes the line of this moment if one is due; the screen redraws itself.
  void pass(Duration elapsed);
  // A sentence on a line of its own.
  void say(std::string_view sentence);
  // Takes the screen down.
  void close();
  bool is_screen() const { return screen_ != nullptr; }

 private:
  void write(std::string_view text) const;
  UiMode mode_;
  int descriptor_;
  Glyphs glyphs_;
  FullScreen::Calls calls_;
  std::unique_ptr<FullScreen> screen_;
  std::vector<std::string> said_;  // since the screen is up
  Duration next_ = kCiInterval;
};

}  // namespace hyperscale::node

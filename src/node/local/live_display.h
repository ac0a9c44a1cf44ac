// LiveDisplay: output of a running run on standard error: a screen with keys on a terminal, elsewhere a log line every
// kCiInterval, or nothing.
//
// Single-threaded. Output that cannot be written is dropped: a closed terminal does not fail a run. Sentences that
// were logged on the screen are written again when it closes, at most kSaidMax, so that they are not lost with it.
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
  // Writes to `descriptor`; `glyphs`: characters that the terminal can show.
  LiveDisplay(UiMode mode, int descriptor, Glyphs glyphs, FullScreen::Calls calls);
  ~LiveDisplay();
  LiveDisplay(const LiveDisplay&) = delete;
  LiveDisplay& operator=(const LiveDisplay&) = delete;

  // Opens the screen; falls back to log lines if the terminal cannot show it.
  void open(asio::io_context& io);
  // Writes a log line if one is due; the screen redraws itself.
  void pass(Duration elapsed);
  // Writes a sentence on its own line.
  void say(std::string_view sentence);
  // Closes the screen.
  void close();
  bool is_screen() const { return screen_ != nullptr; }

 private:
  void write(std::string_view text) const;
  UiMode mode_;
  int descriptor_;
  Glyphs glyphs_;
  FullScreen::Calls calls_;
  std::unique_ptr<FullScreen> screen_;
  std::vector<std::string> said_;  // since the screen opened
  Duration next_ = kCiInterval;
};

}  // namespace hyperscale::node

// LiveDisplay: what a person sees on standard error while a run goes on: one line that is redrawn on a terminal, a log
// line now and then elsewhere, or nothing.
//
// Single-threaded. Output that cannot be written is dropped: a run does not fail because nobody looks.
#pragma once

#include "base/time.h"
#include "report/progress_line.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hyperscale::node {

enum class UiMode : std::uint8_t { kFull, kCi, kNone };

// "full", "ci", "none"; nothing for another word.
std::optional<UiMode> ui_mode_from(std::string_view name);
// kFull needs a terminal on standard error and falls back to kCi.
UiMode usable_mode(UiMode asked, bool stderr_is_terminal);

inline constexpr Duration kRedrawInterval = 100ms;
inline constexpr Duration kCiInterval = 10s;

class LiveDisplay {
 public:
  // Writes to `descriptor`; `glyphs` says what the screen can show.
  LiveDisplay(UiMode mode, int descriptor, Glyphs glyphs);
  ~LiveDisplay();
  LiveDisplay(const LiveDisplay&) = delete;
  LiveDisplay& operator=(const LiveDisplay&) = delete;

  // Whether show() would draw something at `elapsed`.
  bool is_due(Duration elapsed) const;
  void show(const report::ProgressView& view);
  // A sentence on a line of its own.
  void say(std::string_view sentence);
  // Takes the live line off the screen.
  void clear();

 private:
  void write(std::string_view text) const;
  UiMode mode_;
  int descriptor_;
  Glyphs glyphs_;
  bool drawn_ = false;
  Duration next_{};
};

}  // namespace hyperscale::node

// SummaryPage: the canvas of the summary: margins, labels, colours and glyphs.
//
// Single-threaded, grows only. Its input text must already be safe (terminal_text.h).
#pragma once

#include "base/glyphs.h"
#include "base/time.h"
#include "report/summary.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::report {

enum class Ink : std::uint8_t { kPlain, kStrong, kFaint, kGood, kBad, kWarn, kAccent };

class SummaryPage {
 public:
  explicit SummaryPage(const SummaryStyle& style);

  Glyphs glyphs() const { return glyphs_; }
  std::size_t width() const { return width_; }  // between the margins
  std::string_view glyph(std::string_view unicode, std::string_view ascii) const;

  std::string ink(std::string_view text, Ink ink) const;
  std::string latency(Duration value) const;
  std::string safe(std::string_view foreign) const;
  std::string safe_cut(std::string_view foreign, std::size_t width) const;

  void line(std::string_view text);
  // Starts a section: a blank line before it, unless it is the first.
  void gap();
  void heading(std::string_view title, std::string_view note = {});
  // `label` in the first column, `text` in the second; an empty label continues the row above.
  void row(std::string_view label, std::string_view text);
  // Prose over the full width, wrapped between words; `mark` precedes it.
  void paragraph(std::string_view mark, Ink mark_ink, std::string_view text);
  // A remark below a section, wrapped between words.
  void note(std::string_view text);

  std::string take() { return std::move(text_); }

  static constexpr std::size_t kMargin = 2;
  static constexpr std::size_t kLabelWidth = 12;

 private:
  bool colour_;
  Glyphs glyphs_;
  std::size_t width_;
  std::string text_;
};

}  // namespace hyperscale::report

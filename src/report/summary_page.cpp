#include "report/summary_page.h"

#include "base/number_text.h"
#include "base/terminal_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

std::string_view code_of(Ink ink) {
  switch (ink) {
    case Ink::kPlain:
      return "";
    case Ink::kStrong:
      return "1";
    case Ink::kFaint:
      return "2";
    case Ink::kGood:
      return "32";
    case Ink::kBad:
      return "1;31";
    case Ink::kWarn:
      return "33";
    case Ink::kAccent:
      return "36";
  }
  return "";
}

}  // namespace

SummaryPage::SummaryPage(const SummaryStyle& style)
    : colour_(style.colour),
      glyphs_(style.ascii ? Glyphs::kAscii : Glyphs::kUnicode),
      width_(std::clamp(style.width, kSummaryWidthMin, kSummaryWidthMax) - 2 * kMargin) {}

std::string_view SummaryPage::glyph(std::string_view unicode, std::string_view ascii) const {
  return glyphs_ == Glyphs::kAscii ? ascii : unicode;
}

std::string SummaryPage::ink(std::string_view text, Ink ink) const {
  if (!colour_ || ink == Ink::kPlain || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code_of(ink), text);
}

std::string SummaryPage::latency(Duration value) const {
  return latency_text(value, glyphs_);
}

std::string SummaryPage::safe(std::string_view foreign) const {
  return visible(foreign, glyphs_);
}

std::string SummaryPage::safe_cut(std::string_view foreign, std::size_t width) const {
  return cut(visible(foreign, glyphs_), width, glyphs_);
}

void SummaryPage::line(std::string_view text) {
  text_ += std::string(kMargin, ' ');
  text_ += text;
  text_.erase(text_.find_last_not_of(' ') + 1);
  text_ += '\n';
}

void SummaryPage::gap() {
  if (!text_.empty()) text_ += '\n';
}

void SummaryPage::heading(std::string_view title, std::string_view note) {
  gap();
  const std::size_t room = width_ - std::min(width_, cells(title) + 2);
  line(ink(title, Ink::kStrong) + (note.empty() ? "" : "  " + ink(cut(note, room, glyphs_), Ink::kFaint)));
}

void SummaryPage::row(std::string_view label, std::string_view text) {
  line(ink(left(label, kLabelWidth), Ink::kFaint) + std::string(text));
}

void SummaryPage::paragraph(std::string_view mark, Ink mark_ink, std::string_view text) {
  std::string lead = ink(mark, mark_ink) + " ";
  for (const std::string& piece : wrapped(safe(text), width_ - 2, glyphs_)) {
    line(lead + piece);
    lead = "  ";
  }
}

void SummaryPage::note(std::string_view text) {
  for (const std::string& piece : wrapped(safe(text), width_, glyphs_)) line(ink(piece, Ink::kFaint));
}

}  // namespace hyperscale::report

#include "tui/widgets/spinner.h"

#include <algorithm>
#include <string_view>

namespace hyperscale::tui {
namespace {

constexpr std::u32string_view kDots = U"⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
constexpr std::u32string_view kBars = U"▁▂▃▄▅▆▇█▇▆▅▄▃▂";
constexpr std::u32string_view kLine = U"|/-\\";
constexpr Duration kStep = 100ms;

std::u32string_view glyphs_of(SpinnerStyle style) {
  switch (style) {
    case SpinnerStyle::kDots:
      return kDots;
    case SpinnerStyle::kBars:
      return kBars;
    case SpinnerStyle::kLine:
      break;
  }
  return kLine;
}

}  // namespace

char32_t spinner(SpinnerStyle style, Duration time, Glyphs glyphs) {
  const std::u32string_view turn = glyphs_of(glyphs == Glyphs::kAscii ? SpinnerStyle::kLine : style);
  return turn[static_cast<std::size_t>(std::max(Duration::zero(), time) / kStep) % turn.size()];
}

}  // namespace hyperscale::tui

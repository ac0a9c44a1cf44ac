#include "tui/widgets/dot_grid.h"

#include <array>
#include <string_view>

namespace hyperscale::tui {
namespace {

// Bits of a cell are numbered row by row from the top left; this maps them to the order of braille.
constexpr std::array<std::uint8_t, 8> kBrailleBits{0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80};
constexpr char32_t kBrailleBlank = 0x2800;
constexpr std::u32string_view kQuarters = U" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█";
constexpr std::string_view kHalves = " '.:";

char32_t glyph_of(unsigned dots, Ink ink) {
  if (ink == Ink::kAscii) return static_cast<char32_t>(kHalves[dots]);
  if (ink == Ink::kBlocks) return kQuarters[dots];
  char32_t glyph = kBrailleBlank;
  for (std::size_t bit = 0; bit < kBrailleBits.size(); ++bit) {
    if ((dots >> bit & 1) != 0) glyph |= kBrailleBits[bit];
  }
  return glyph;
}

}  // namespace

DotGrid::DotGrid(int columns, int rows, Ink ink)
    : columns_(std::max(0, columns)),
      rows_(std::max(0, rows)),
      ink_(ink),
      dots_per_column_(ink == Ink::kAscii ? 1 : 2),
      dots_per_row_(ink == Ink::kBraille ? 4 : 2),
      spots_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

void DotGrid::set(int x, int y, Role role) {
  if (x < 0 || y < 0 || x >= dots_wide() || y >= dots_high()) return;
  const int from_top = dots_high() - 1 - y;
  const int cell = from_top / dots_per_row_ * columns_ + x / dots_per_column_;
  const int bit = from_top % dots_per_row_ * dots_per_column_ + x % dots_per_column_;
  Spot& spot = spots_[static_cast<std::size_t>(cell)];
  spot.dots = static_cast<std::uint8_t>(spot.dots | 1U << bit);
  spot.role = role;
}

void DotGrid::draw(Canvas canvas) const {
  for (int y = 0; y < rows_; ++y) {
    for (int x = 0; x < columns_; ++x) {
      const Spot& spot =
          spots_[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(x)];
      if (spot.dots == 0) continue;
      const char32_t glyph = glyph_of(spot.dots, ink_);
      canvas.glyph(x, y, glyph, ink_ == Ink::kAscii ? static_cast<char>(glyph) : '*', spot.role);
    }
  }
}

}  // namespace hyperscale::tui

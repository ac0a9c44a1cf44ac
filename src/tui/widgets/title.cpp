#include "tui/widgets/title.h"

#include <array>

namespace hyperscale::tui {
namespace {

constexpr std::string_view kName = "hyperscale";
constexpr std::array<std::string_view, kLargeTitleRows> kLargeName{
    R"(|                                      |     )", R"(|__  |  |  __   __   __  __   __   __  |  __ )",
    R"(|  | |__| |__| |__| |   |__  |     __| | |__|)", R"(|  |  __| |    |__  |    __| |__  |__| | |__ )"};

Role gradient(int column, int columns) {
  return static_cast<Role>(static_cast<int>(Role::kTitle1) + column * kTitleRoles / columns);
}

}  // namespace

int draw_title(Canvas canvas) {
  const auto columns = static_cast<int>(kName.size());
  for (int x = 0; x < columns; ++x) {
    const char letter = kName[static_cast<std::size_t>(x)];
    canvas.glyph(x, 0, static_cast<char32_t>(letter), letter, gradient(x, columns));
  }
  return columns;
}

void draw_large_title(Canvas canvas) {
  for (int y = 0; y < kLargeTitleRows; ++y) {
    const std::string_view row = kLargeName[static_cast<std::size_t>(y)];
    for (std::size_t x = 0; x < row.size(); ++x) {
      if (row[x] == ' ') continue;
      canvas.glyph(static_cast<int>(x), y, static_cast<char32_t>(row[x]), row[x],
                   gradient(static_cast<int>(x), kLargeTitleColumns));
    }
  }
}

}  // namespace hyperscale::tui

#include "tui/widgets/paragraph.h"

#include "base/terminal_text.h"

namespace hyperscale::tui {

void draw_paragraph(Canvas canvas, std::string_view text, Role role, bool centred) {
  if (canvas.width() <= 0) return;
  const std::string shown = visible(text, canvas.glyphs());
  const auto lines = wrapped(shown, static_cast<std::size_t>(canvas.width()), canvas.glyphs());
  int y = centred ? std::max(0, (canvas.height() - static_cast<int>(lines.size())) / 2) : 0;
  for (const std::string& line : lines) {
    if (centred) {
      canvas.centred(y++, line, role);
    } else {
      canvas.text(0, y++, line, role);
    }
  }
}

}  // namespace hyperscale::tui

#include "tui/widgets/section_title.h"

namespace hyperscale::tui {
namespace {

constexpr int kGap = 2;
constexpr int kRuleMin = 2;

int remarks_width(std::span<const Remark> remarks, Glyphs glyphs) {
  int width = 0;
  for (const Remark& remark : remarks) width += text_cells(remark.text, glyphs) + kGap;
  return std::max(0, width - kGap);
}

}  // namespace

void draw_section_title(Canvas canvas, std::string_view title, std::span<const Remark> remarks) {
  const int x = canvas.text(0, 0, title, Role::kSection) + 1;
  const auto fits = [&] { return x + kRuleMin + 1 + remarks_width(remarks, canvas.glyphs()) <= canvas.width(); };
  while (!remarks.empty() && !fits()) remarks = remarks.first(remarks.size() - 1);
  int right = canvas.width();
  if (!remarks.empty()) {
    const int begin = right - remarks_width(remarks, canvas.glyphs());
    int at = begin;
    for (const Remark& remark : remarks) at += canvas.text(at, 0, remark.text, remark.role) + kGap;
    right = begin - 1;
  }
  canvas.fill({x, 0, right - x, 1}, U'─', '-', Role::kFaint);
}

}  // namespace hyperscale::tui

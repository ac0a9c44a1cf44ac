#include "tui/widgets/threshold_list.h"

#include <fmt/format.h>

namespace hyperscale::tui {
namespace {

void draw_threshold(Canvas canvas, const live::ThresholdView& threshold) {
  Role role = Role::kDim;
  if (threshold.state == live::ThresholdState::kFailing) {
    role = Role::kBad;
    canvas.glyph(0, 0, U'✗', 'x', role);
  } else if (threshold.state == live::ThresholdState::kPassing) {
    role = Role::kGood;
    canvas.glyph(0, 0, U'✓', '+', role);
  } else {
    canvas.glyph(0, 0, U'·', '-', role);
  }
  const std::string actual = threshold.actual.empty() ? "no data" : threshold.actual;
  const int begin = canvas.part({2, 0, canvas.width() - 2, 1}).text_until(canvas.width() - 2, 0, actual, role) + 2;
  canvas.text(2, 0, begin - 3, threshold.text, Role::kText);
}

}  // namespace

void draw_threshold_list(Canvas canvas, std::span<const live::ThresholdView> thresholds) {
  std::vector<const live::ThresholdView*> sorted;
  for (const bool failing : {true, false}) {
    for (const live::ThresholdView& threshold : thresholds) {
      if ((threshold.state == live::ThresholdState::kFailing) == failing) sorted.push_back(&threshold);
    }
  }
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto y = static_cast<int>(i);
    if (y + 1 == canvas.height() && i + 1 < sorted.size()) {
      canvas.text(2, y, fmt::format("{} more", sorted.size() - i), Role::kDim);
      return;
    }
    draw_threshold(canvas.row(y), *sorted[i]);
  }
}

}  // namespace hyperscale::tui

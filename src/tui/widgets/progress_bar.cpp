#include "tui/widgets/progress_bar.h"

#include <cmath>

namespace hyperscale::tui {
namespace {

constexpr Duration kGlintStep = 50ms;  // per cell
constexpr int kGlintCells = 3;
constexpr int kGlintPause = 40;  // in cells: time between two passes
constexpr int kWanderingCells = 8;

void draw_done(Canvas& canvas, int halves, bool alive, Duration time) {
  const int full = halves / 2;
  const auto glint = static_cast<int>(time / kGlintStep % (std::max(1, full) + kGlintPause));
  for (int x = 0; x < canvas.width(); ++x) {
    if (x < full) {
      const bool lit = alive && x <= glint && x > glint - kGlintCells;
      canvas.glyph(x, 0, U'━', '#', lit ? Role::kBarGlint : Role::kBarDone);
    } else if (x == full && halves % 2 == 1) {
      canvas.glyph(x, 0, U'╸', '-', Role::kBarDone);
    } else {
      canvas.glyph(x, 0, U'─', '.', Role::kBarRest);
    }
  }
}

void draw_wandering(Canvas& canvas, bool alive, Duration time) {
  const int room = std::max(1, canvas.width() - kWanderingCells);
  const auto phase = static_cast<int>(time / kGlintStep % (2 * room));
  const int begin = phase < room ? phase : 2 * room - phase;
  canvas.fill({0, 0, canvas.width(), 1}, U'─', '.', Role::kBarRest);
  if (alive) canvas.fill({begin, 0, kWanderingCells, 1}, U'━', '#', Role::kBarDone);
}

}  // namespace

void draw_progress_bar(Canvas canvas, std::optional<double> done, bool alive, Duration time) {
  if (!done) return draw_wandering(canvas, alive, time);
  const double halves = std::clamp(*done, 0.0, 1.0) * canvas.width() * 2;
  draw_done(canvas, static_cast<int>(std::floor(halves)), alive, time);
}

}  // namespace hyperscale::tui

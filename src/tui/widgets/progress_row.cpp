#include "tui/widgets/progress_row.h"

#include "tui/widgets/clock_text.h"
#include "tui/widgets/figures.h"
#include "tui/widgets/progress_bar.h"

#include <cmath>

#include <fmt/format.h>

namespace hyperscale::tui {
namespace {

constexpr int kGap = 2;
constexpr int kPercentCells = 4;

}  // namespace

void draw_progress_row(Canvas canvas, const live::LiveView& view, Duration animation) {
  int right = canvas.width();
  const auto left = time_left(view);
  if (left && view.state != live::RunState::kDone && view.state != live::RunState::kStopping) {
    right = canvas.text_until(right, 0, clock_text(*left) + " left", Role::kText) - kGap;
  }
  const Figure time = timer(view);
  if (!time.note.empty()) right = canvas.text_until(right, 0, " " + time.note, Role::kDim);
  right = canvas.text_until(right, 0, time.value, Role::kStrong) - kGap;
  const auto done = progress(view);
  if (done) {
    canvas.text_until(right, 0, fmt::format("{:.0f}%", std::floor(*done * 100)), Role::kStrong);
    right -= kPercentCells + 1;
  }
  const bool alive = view.state != live::RunState::kPaused && view.state != live::RunState::kDone;
  draw_progress_bar(canvas.part({0, 0, right, 1}), done, alive, animation);
}

}  // namespace hyperscale::tui

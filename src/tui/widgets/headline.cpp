#include "tui/widgets/headline.h"

#include "tui/widgets/spinner.h"
#include "tui/widgets/title.h"

#include <string>

#include <fmt/format.h>

namespace hyperscale::tui {
namespace {

constexpr int kTitleGap = 2;
constexpr int kLargeGap = 4;

Role badge_role(const live::LiveView& view) {
  if (is_failing(view)) return Role::kBadgeFailing;
  if (view.state == live::RunState::kRunning) return Role::kBadgeRunning;
  return view.state == live::RunState::kDone ? Role::kBadgeDone : Role::kBadgeWaiting;
}

// Right-aligned; returns its first column.
int draw_badge(Canvas& canvas, int y, const live::LiveView& view, Duration animation) {
  const Role role = badge_role(view);
  const std::string text = fmt::format("{}{}", name(view.state), is_failing(view) ? ", failing" : "");
  const int begin = canvas.text_until(canvas.width(), y, text, role) - 2;
  switch (view.state) {
    case live::RunState::kPaused:
      canvas.glyph(begin, y, U'‖', '=', role);
      break;
    case live::RunState::kDone:
      canvas.glyph(begin, y, U'■', '#', role);
      break;
    case live::RunState::kRunning:
      canvas.glyph(begin, y, spinner(SpinnerStyle::kDots, animation, canvas.glyphs()),
                   static_cast<char>(spinner(SpinnerStyle::kLine, animation, Glyphs::kAscii)), role);
      break;
    default:
      canvas.glyph(begin, y, spinner(SpinnerStyle::kBars, animation, canvas.glyphs()),
                   static_cast<char>(spinner(SpinnerStyle::kLine, animation, Glyphs::kAscii)), role);
  }
  return begin;
}

std::string target_text(const live::LiveView& view) {
  return view.http_version.empty() ? view.target : fmt::format("{}  {}", view.target, view.http_version);
}

}  // namespace

void draw_headline(Canvas canvas, const live::LiveView& view, Duration animation) {
  const int right = draw_badge(canvas, 0, view, animation) - kTitleGap;
  int x = draw_title(canvas) + kTitleGap;
  // The name has priority over the target: it gets the width it needs, up to half if both are long.
  const int room = right - x;
  const std::string where = target_text(view);
  const int target = text_cells(where, canvas.glyphs());
  const int name_max = std::max(room / 2, room - target - kTitleGap);
  x += canvas.text(x, 0, std::min(name_max, room), view.run_name, Role::kStrong) + kTitleGap;
  canvas.text(x, 0, right - x, where, Role::kDim);
}

void draw_large_headline(Canvas canvas, const live::LiveView& view, Duration animation) {
  draw_large_title(canvas);
  const int x = kLargeTitleColumns + kLargeGap;
  Canvas facts = canvas.part({x, 0, canvas.width() - x, kLargeTitleRows});
  const int right = draw_badge(facts, 1, view, animation) - kTitleGap;
  facts.text(0, 1, right, view.run_name, Role::kStrong);
  facts.text(0, 2, target_text(view), Role::kDim);
  if (!view.run_id.empty()) facts.text(0, 3, "run " + view.run_id, Role::kDim);
}

}  // namespace hyperscale::tui

#include "tui/widgets/log_tail.h"

#include "tui/widgets/clock_text.h"

namespace hyperscale::tui {
namespace {

constexpr int kTimeCells = 6;

Role role_of(live::LogLevel level) {
  if (level == live::LogLevel::kError) return Role::kBad;
  return level == live::LogLevel::kWarning ? Role::kWarning : Role::kText;
}

}  // namespace

void draw_log_tail(Canvas canvas, std::span<const live::LogLine> log) {
  if (log.empty()) {
    canvas.text(0, 0, "nothing to report", Role::kDim);
    return;
  }
  log = log.last(std::min(log.size(), static_cast<std::size_t>(std::max(0, canvas.height()))));
  int y = 0;
  for (const live::LogLine& line : log) {
    canvas.part({0, y, kTimeCells, 1}).text_until(kTimeCells, 0, clock_text(line.at), Role::kDim);
    canvas.text(kTimeCells + 2, y, line.text, role_of(line.level));
    ++y;
  }
}

}  // namespace hyperscale::tui

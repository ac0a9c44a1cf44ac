#include "tui/widgets/workflow_tabs.h"

#include "tui/widgets/section_title.h"

#include <fmt/format.h>

namespace hyperscale::tui {
namespace {

constexpr int kTabCellsMax = 24;
constexpr int kGap = 1;

struct Tab {
  std::string text;
  Role role;
};

std::string mark_of(live::WorkflowState state, bool ascii) {
  switch (state) {
    case live::WorkflowState::kDone:
      return ascii ? " +" : " ✓";
    case live::WorkflowState::kFailed:
      return ascii ? " x" : " ✗";
    case live::WorkflowState::kPaused:
      return ascii ? " =" : " ‖";
    default:
      return "";
  }
}

Tab tab(const Canvas& canvas, const live::WorkflowView& workflow, std::size_t number, bool chosen) {
  const Role role = chosen                                            ? Role::kTabChosen
                    : workflow.state == live::WorkflowState::kFailed  ? Role::kBad
                    : workflow.state == live::WorkflowState::kPaused  ? Role::kWarning
                    : workflow.state == live::WorkflowState::kRunning ? Role::kText
                                                                      : Role::kDim;
  return {fmt::format(" {} {}{} ", number, workflow.name, mark_of(workflow.state, canvas.is_ascii())), role};
}

int cells_of_tab(const Canvas& canvas, const Tab& tab) {
  return std::min(kTabCellsMax, text_cells(tab.text, canvas.glyphs()));
}

}  // namespace

void draw_workflow_tabs(Canvas canvas, std::span<const live::WorkflowView> workflows, std::size_t shown, bool held) {
  if (workflows.empty()) return draw_section_title(canvas, "Steps");
  if (workflows.size() == 1) return draw_section_title(canvas, workflows[0].name.empty() ? "Steps" : workflows[0].name);
  const std::string state = fmt::format("{}/{} {}", shown + 1, workflows.size(), held ? "held" : "in turn");
  const int right = canvas.text_until(canvas.width(), 0, state, held ? Role::kWarning : Role::kDim) - 1;
  std::vector<Tab> tabs;
  tabs.reserve(workflows.size());
  for (std::size_t i = 0; i < workflows.size(); ++i) tabs.push_back(tab(canvas, workflows[i], i + 1, i == shown));
  std::size_t first = 0;
  const auto width_up_to_shown = [&] {
    int width = first == 0 ? 0 : 2;
    for (std::size_t i = first; i <= shown; ++i) width += cells_of_tab(canvas, tabs[i]) + kGap;
    return width + (shown + 1 < tabs.size() ? 2 : 0);
  };
  while (first < shown && width_up_to_shown() > right) ++first;
  int x = 0;
  if (first > 0) {
    canvas.glyph(0, 0, U'‹', '<', Role::kDim);
    x = 2;
  }
  for (std::size_t i = first; i < tabs.size(); ++i) {
    const int width = cells_of_tab(canvas, tabs[i]);
    const int after = x + width + (i + 1 < tabs.size() ? 2 : 0);
    if (after > right && i > shown) {
      canvas.glyph(x, 0, U'›', '>', Role::kDim);
      x += 2;
      break;
    }
    x += canvas.text(x, 0, std::min(width, right - x), tabs[i].text, tabs[i].role) + kGap;
  }
  canvas.fill({x, 0, right - x, 1}, U'─', '-', Role::kFaint);
}

}  // namespace hyperscale::tui

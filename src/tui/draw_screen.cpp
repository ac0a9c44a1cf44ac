#include "tui/draw_screen.h"

#include "tui/layout.h"
#include "tui/widgets/figure_cards.h"
#include "tui/widgets/headline.h"
#include "tui/widgets/key_help.h"
#include "tui/widgets/log_tail.h"
#include "tui/widgets/outcome_list.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/plots.h"
#include "tui/widgets/progress_row.h"
#include "tui/widgets/section_title.h"
#include "tui/widgets/status_bar.h"
#include "tui/widgets/step_table.h"
#include "tui/widgets/threshold_list.h"
#include "tui/widgets/workflow_tabs.h"

#include <fmt/format.h>

namespace hyperscale::tui {
namespace {

class ScreenPage {
 public:
  ScreenPage(Screen& screen, const live::LiveView& view, const ScreenState& state, const Drawing& drawing)
      : screen_(screen), view_(view), state_(state), drawing_(drawing) {
    if (drawing_.glyphs == Glyphs::kAscii) drawing_.ink = Ink::kAscii;
    if (!view.workflows.empty()) {
      state_.workflow = std::min(state_.workflow, view.workflows.size() - 1);
      workflow_ = &view.workflows[state_.workflow];
      table_ = step_table(*workflow_, drawing.glyphs);
    }
    sentence_ = status_sentence(view);
    areas_ = layout(screen.size(), {.step_rows = table_rows(table_),
                                    .outcomes = outcome_counts(view).size(),
                                    .thresholds = view.thresholds.size(),
                                    .log_lines = view.log.size(),
                                    .has_status = !sentence_.empty()});
  }

  std::size_t draw() {
    if (areas_.too_small) {
      draw_too_small();
      return 0;
    }
    draw_head();
    draw_lists();
    draw_key_line(on(areas_.keys), offer(), view_.tick);
    const std::size_t last = draw_workflow();
    if (state_.help) draw_key_page(on(screen_.area()));
    return last;
  }

 private:
  // The view does not say which of several workflows follow a rate.
  KeyOffer offer() const {
    const bool several = view_.workflows.size() > 1, open = view_.asked_rate_per_s > 0;
    return {.workflows = several,
            .paused = view_.state == live::RunState::kPaused,
            .users = several || !open,
            .rate = several || open};
  }

  Canvas on(Area area) { return {screen_, area, drawing_.glyphs}; }

  void draw_too_small() {
    const std::string text = fmt::format("This window is {} x {}. The screen needs at least {} x {}. The run goes on.",
                                         screen_.size().columns, screen_.size().rows, kSizeMin.columns, kSizeMin.rows);
    draw_paragraph(on(screen_.area()), text, Role::kText, true);
  }

  void draw_head() {
    if (areas_.large_title) {
      draw_large_headline(on(areas_.headline), view_, state_.animation);
    } else {
      draw_headline(on(areas_.headline), view_, state_.animation);
    }
    draw_progress_row(on(areas_.progress), view_, state_.animation);
    const Role role = is_failing(view_) ? Role::kBad : Role::kWarning;
    if (view_.state == live::RunState::kPaused || view_.state == live::RunState::kDone) {
      draw_status_bar(on(areas_.status), sentence_, role);
    } else {
      draw_animated_status_bar(on(areas_.status), sentence_, role, state_.animation);
    }
    draw_cards(on(areas_.cards), main_figures(view_));
    const std::vector<Figure> side = side_figures(view_, drawing_.glyphs);
    draw_cards(on(areas_.more_cards), side);
    draw_figure_line(on(areas_.side_line), side);
    draw_outcome_line(on(areas_.outcome_line), view_);
  }

  // The area below the section title.
  Canvas titled(Area area, std::string_view title) {
    draw_section_title(on(area), title);
    area.take_top(1);
    return on(area);
  }

  void draw_lists() {
    if (!areas_.outcomes.is_empty()) draw_outcome_list(titled(areas_.outcomes, "Outcomes"), view_);
    if (!areas_.thresholds.is_empty()) {
      draw_threshold_list(titled(areas_.thresholds, "Thresholds"), view_.thresholds);
    }
    if (!areas_.log.is_empty()) draw_log_tail(titled(areas_.log, "Log"), view_.log);
  }

  std::size_t draw_workflow() {
    draw_workflow_tabs(on(areas_.tabs), view_.workflows, state_.workflow, state_.held);
    if (workflow_ == nullptr) {
      on(areas_.steps).text(0, 0, "no workflow yet", Role::kDim);
      return 0;
    }
    draw_table(on(areas_.steps), table_, state_.first_step);
    if (!areas_.rate_plot.is_empty()) {
      draw_rate_plot(on(areas_.rate_plot), workflow_->course, drawing_.ink);
      draw_latency_plot(on(areas_.latency_plot), workflow_->course, drawing_.ink);
    }
    return last_first_row(workflow_->steps.size(), areas_.steps.height, !table_.footer.empty());
  }

  Screen& screen_;
  const live::LiveView& view_;
  ScreenState state_;
  Drawing drawing_;
  const live::WorkflowView* workflow_ = nullptr;
  Table table_;
  std::string sentence_;
  Layout areas_;
};

}  // namespace

std::size_t draw_screen(Screen& screen, const live::LiveView& view, const ScreenState& state, const Drawing& drawing) {
  screen.reset(screen.size());
  return ScreenPage(screen, view, state, drawing).draw();
}

}  // namespace hyperscale::tui

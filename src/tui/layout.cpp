#include "tui/layout.h"

#include "tui/sections.h"
#include "tui/widgets/figure_cards.h"
#include "tui/widgets/plots.h"
#include "tui/widgets/title.h"

#include <array>

namespace hyperscale::tui {
namespace {

constexpr int kPadding = 1;        // columns left free on both sides
constexpr int kSectionGap = 3;     // columns between sections of a row
constexpr int kWideColumns = 150;  // from this width on plots are beside the table
constexpr int kLargeTitleRowsMin = 44;
constexpr int kEightCardsColumns = 8 * kCardWidthMin + 16;
constexpr int kRoomyRows = 34;    // from this height on blank rows separate areas
constexpr int kListColumns = 36;  // outcomes and thresholds, maximum
constexpr int kListColumnsMin = 24;
constexpr int kLogColumns = 40;  // minimum that lists leave for the log, if possible
constexpr int kLogColumnsMin = 16;
constexpr int kTableColumnsMin = 60;

int clamp_rows(int rows, int least, int most) {
  return std::clamp(rows, least, std::max(least, most));
}

// Title, progress, figures and the key line: everything of fixed height.
void take_fixed_rows(Area& body, Layout& out, Size size, const LayoutNeeds& needs) {
  const bool roomy = size.rows >= kRoomyRows;
  out.large_title = size.rows >= kLargeTitleRowsMin && size.columns >= 2 * kLargeTitleColumns;
  out.headline = body.take_top(out.large_title ? kLargeTitleRows : 1);
  out.keys = body.take_bottom(1);
  if (roomy) {
    body.take_top(1);
    body.take_bottom(1);
  }
  out.progress = body.take_top(1);
  const Area below = body.take_top(roomy || needs.has_status ? 1 : 0);
  if (needs.has_status) out.status = below;
  out.cards = body.take_top(kCardRows);
  if (size.columns >= kEightCardsColumns) {
    const std::array widths{SectionWidth::automatic(), SectionWidth::automatic()};
    const std::vector<Area> halves = sections(out.cards, widths, 2);
    out.cards = halves[0];
    out.more_cards = halves[1];
  } else if (roomy) {
    body.take_top(1);
    out.more_cards = body.take_top(kCardRows);
  } else {
    out.side_line = body.take_top(1);
  }
  if (!roomy) out.outcome_line = body.take_top(1);
  if (roomy) body.take_top(1);
}

// Outcomes, thresholds and the log, side by side.
void place_lists(Area row, Layout& out, const LayoutNeeds& needs, bool with_outcomes) {
  std::vector<Area*> areas;
  if (with_outcomes) areas.push_back(&out.outcomes);
  if (needs.thresholds > 0) areas.push_back(&out.thresholds);
  const auto lists = static_cast<int>(areas.size());
  const int room = lists == 0 ? 0 : (row.width - lists * kSectionGap - kLogColumns) / lists;
  std::vector<SectionWidth> widths(areas.size(), SectionWidth::fixed(std::clamp(room, kListColumnsMin, kListColumns)));
  areas.push_back(&out.log);
  widths.push_back(SectionWidth::automatic(kLogColumnsMin));
  const std::vector<Area> placed = sections(row, widths, kSectionGap);
  for (std::size_t i = 0; i < areas.size(); ++i) *areas[i] = placed[i];
}

void place_plots(Area row, Layout& out) {
  const std::array widths{SectionWidth::automatic(), SectionWidth::automatic()};
  const std::vector<Area> halves = sections(row, widths, kSectionGap);
  out.rate_plot = halves[0];
  out.latency_plot = halves[1];
}

int list_rows(const LayoutNeeds& needs, bool with_outcomes) {
  const std::size_t rows = std::max({needs.thresholds, needs.log_lines, with_outcomes ? needs.outcomes : 0});
  return 1 + static_cast<int>(std::min<std::size_t>(rows, 100));
}

void place_stacked(Area body, Layout& out, Size size, const LayoutNeeds& needs) {
  const bool roomy = size.rows >= kRoomyRows;
  const int gap = roomy ? 1 : 0;
  const bool with_outcomes = out.outcome_line.is_empty();
  const int lists = clamp_rows(list_rows(needs, with_outcomes), 3, body.height / 5);
  // The table has priority: it gets the rows it needs, up to half, before plots grow beyond their minimum.
  const int table = clamp_rows(1 + needs.step_rows, 4, body.height / 2);
  const int plots = body.height - lists - table - 2 * gap;
  if (plots >= kPlotRowsMin) {
    const Area list_row = body.take_bottom(lists);
    body.take_bottom(gap);
    const Area plot_row = body.take_bottom(plots);
    body.take_bottom(gap);
    place_plots(plot_row, out);
    place_lists(list_row, out, needs, with_outcomes);
  } else if (body.height >= 4 + 3) {
    place_lists(body.take_bottom(3), out, needs, with_outcomes);
  }
  out.tabs = body.take_top(1);
  out.steps = body;
}

// Lists are beside the table; plots and the log have the full width.
void place_wide(Area body, Layout& out, const LayoutNeeds& needs) {
  const int lists = 1 + static_cast<int>(std::min<std::size_t>(std::max(needs.outcomes, needs.thresholds), 100));
  Area top = body.take_top(clamp_rows(std::max(1 + needs.step_rows, lists), 6, body.height / 2));
  body.take_top(1);
  out.log = body.take_bottom(
      clamp_rows(1 + static_cast<int>(std::min<std::size_t>(needs.log_lines, 100)), 3, body.height / 4));
  body.take_bottom(1);
  place_plots(body, out);
  std::vector<SectionWidth> widths{SectionWidth::automatic(kTableColumnsMin), SectionWidth::fixed(kListColumns)};
  if (needs.thresholds > 0) widths.push_back(SectionWidth::fixed(kListColumns));
  const std::vector<Area> placed = sections(top, widths, kSectionGap);
  out.steps = placed[0];
  out.tabs = out.steps.take_top(1);
  out.outcomes = placed[1];
  if (needs.thresholds > 0) out.thresholds = placed[2];
}

}  // namespace

Layout layout(Size size, const LayoutNeeds& needs) {
  Layout out;
  if (size.columns < kSizeMin.columns || size.rows < kSizeMin.rows) {
    out.too_small = true;
    return out;
  }
  Area body = Area{0, 0, size.columns, size.rows}.padded(kPadding, 0);
  take_fixed_rows(body, out, size, needs);
  if (size.columns >= kWideColumns && size.rows >= kRoomyRows) {
    place_wide(body, out, needs);
  } else {
    place_stacked(body, out, size, needs);
  }
  return out;
}

}  // namespace hyperscale::tui

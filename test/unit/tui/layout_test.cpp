#include "tui/layout.h"

#include "sample_views.h"
#include "tui/sections.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::tui {
namespace {

std::vector<Area> areas_of(const Layout& out) {
  return {out.headline,     out.progress,  out.status,     out.cards, out.more_cards,
          out.outcome_line, out.side_line, out.tabs,       out.steps, out.rate_plot,
          out.latency_plot, out.outcomes,  out.thresholds, out.log,   out.keys};
}

// proves part: UI-4 (terminal, layout, sections, cycling, sums; not a queue of updates: the newest moment is read)
TEST(Sections, FixedOnesKeepTheirWidthAndOthersShareTheRest) {
  const std::array widths{SectionWidth::fixed(10), SectionWidth::automatic(), SectionWidth::automatic(5)};
  EXPECT_THAT(sections({2, 1, 40, 3}, widths, 2),
              testing::ElementsAre(Area{2, 1, 10, 3}, Area{14, 1, 11, 3}, Area{27, 1, 15, 3}));
}

// proves part: UI-4 (terminal, layout, sections, cycling, sums; not a queue of updates: the newest moment is read)
TEST(Sections, WhatDoesNotFitIsHidden) {
  const std::array widths{SectionWidth::fixed(10), SectionWidth::automatic(10), SectionWidth::fixed(10)};
  const std::vector<Area> two = sections({0, 0, 25, 1}, widths, 1);
  EXPECT_EQ(two[1], (Area{11, 0, 14, 1}));
  EXPECT_TRUE(two[2].is_empty());
  const std::vector<Area> none = sections({0, 0, 9, 1}, widths, 1);
  EXPECT_TRUE(none[0].is_empty());
}

TEST(Layout, TooSmallBelowTheLeastSize) {
  EXPECT_FALSE(layout(kSizeMin, {}).too_small);
  EXPECT_TRUE(layout({kSizeMin.columns - 1, 50}, {}).too_small);
  EXPECT_TRUE(layout({200, kSizeMin.rows - 1}, {}).too_small);
}

// proves part: UI-4 (terminal, layout, sections, cycling, sums; not a queue of updates: the newest moment is read)
TEST(Layout, AnotherSizeIsAnotherLayout) {
  const LayoutNeeds needs{.step_rows = 7, .outcomes = 3, .thresholds = 4, .log_lines = 4};
  const Layout small = layout({80, 24}, needs), large = layout({200, 60}, needs);
  EXPECT_EQ(small.headline, (Area{1, 0, 78, 1}));
  EXPECT_TRUE(small.outcomes.is_empty());
  EXPECT_FALSE(small.outcome_line.is_empty());
  EXPECT_GT(small.rate_plot.height, 3);
  EXPECT_EQ(small.rate_plot.y, small.latency_plot.y);
  EXPECT_TRUE(large.large_title);
  EXPECT_FALSE(large.outcomes.is_empty());
  EXPECT_GT(large.outcomes.x, large.steps.x + large.steps.width - 1);
  EXPECT_GT(large.thresholds.x, large.outcomes.x);
  EXPECT_GT(large.rate_plot.height, 2 * small.rate_plot.height);
}

TEST(Layout, EverySizeIsUsedWithoutOverlap) {
  rc::check([](std::uint8_t steps, std::uint8_t outcomes, std::uint8_t thresholds, std::uint8_t log, bool has_status) {
    const Size size{*rc::gen::inRange(kSizeMin.columns, 320), *rc::gen::inRange(kSizeMin.rows, 120)};
    const Layout out = layout(size, {steps, outcomes, thresholds, log, has_status});
    RC_ASSERT(!out.too_small);
    RC_ASSERT((!out.steps.is_empty() && out.steps.height >= 3 && out.keys.height == 1));
    const std::vector<Area> areas = areas_of(out);
    for (std::size_t i = 0; i < areas.size(); ++i) {
      if (areas[i].is_empty()) continue;
      RC_ASSERT(areas[i].intersection({0, 0, size.columns, size.rows}) == areas[i]);
      for (std::size_t j = 0; j < i; ++j)
        RC_ASSERT((areas[j].is_empty() || areas[i].intersection(areas[j]).is_empty()));
    }
  });
}

TEST(DrawScreen, AnythingCanBeDrawnAtAnySize) {
  rc::check([](const std::string& name, bool help, bool ascii) {
    constexpr std::array kViews{running_view, hostile_view, failing_view, crowded_view, starting_view};
    live::LiveView view = kViews[*rc::gen::inRange<std::size_t>(0, kViews.size())]();
    view.run_name = name;
    if (!view.workflows.empty()) view.workflows.front().name = name + "日本語";
    Screen screen({*rc::gen::inRange(0, 260), *rc::gen::inRange(0, 90)});
    const auto workflow = *rc::gen::inRange<std::size_t>(0, 14);
    draw_screen(screen, view, {.workflow = workflow, .help = help, .first_step = 3},
                {.glyphs = ascii ? Glyphs::kAscii : Glyphs::kUnicode});
    for (const char c : screen.text()) {
      RC_ASSERT((c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f)));
      if (ascii) RC_ASSERT(static_cast<unsigned char>(c) < 0x80);
    }
  });
}

TEST(DrawScreen, BelowTheLeastSizeItSaysSo) {
  Screen screen({40, 8});
  draw_screen(screen, running_view(), {}, {});
  EXPECT_THAT(screen.text(), testing::HasSubstr("40 x 8"));
  EXPECT_THAT(screen.text(), testing::HasSubstr("60 x 16"));
}

}  // namespace
}  // namespace hyperscale::tui

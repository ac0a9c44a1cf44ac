#include "sample_views.h"
#include "tui/widgets/dot_grid.h"
#include "tui/widgets/figures.h"
#include "tui/widgets/headline.h"
#include "tui/widgets/key_help.h"
#include "tui/widgets/log_tail.h"
#include "tui/widgets/outcome_list.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/plots.h"
#include "tui/widgets/progress_bar.h"
#include "tui/widgets/short_count.h"
#include "tui/widgets/spinner.h"
#include "tui/widgets/status_bar.h"
#include "tui/widgets/table.h"
#include "tui/widgets/threshold_list.h"
#include "tui/widgets/title.h"
#include "tui/widgets/workflow_tabs.h"

#include <functional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::tui {
namespace {

using testing::HasSubstr;
using testing::Not;

Screen screen_of(Size size, const std::function<void(Canvas)>& draw, Glyphs glyphs = Glyphs::kUnicode) {
  Screen screen(size);
  draw(Canvas(screen, screen.area(), glyphs));
  return screen;
}

std::string text_of(Size size, const std::function<void(Canvas)>& draw, Glyphs glyphs = Glyphs::kUnicode) {
  return screen_of(size, draw, glyphs).text();
}

std::string bar(std::optional<double> done, Glyphs glyphs = Glyphs::kUnicode, Duration time = 0s) {
  return text_of({10, 1}, [&](Canvas canvas) { draw_progress_bar(canvas, done, true, time); }, glyphs);
}

TEST(Headline, ShowsTheVersionOfHttpBehindTheTarget) {
  live::LiveView view = running_view();
  view.http_version = "HTTP/2";
  for (const auto draw : {draw_headline, draw_large_headline}) {
    const std::string text = text_of({160, 4}, [&](Canvas canvas) { draw(canvas, view, 0s); });
    EXPECT_THAT(text, HasSubstr("https://shop.example.com/api  HTTP/2"));
  }
}

// proves: UI-3
TEST(ProgressBar, FillsInHalfCells) {
  EXPECT_EQ(bar(0), "──────────\n");
  EXPECT_EQ(bar(0.5), "━━━━━─────\n");
  EXPECT_EQ(bar(0.56), "━━━━━╸────\n");
  EXPECT_EQ(bar(1), "━━━━━━━━━━\n");
  EXPECT_EQ(bar(0.5, Glyphs::kAscii), "#####.....\n");
  const Screen half = screen_of({10, 1}, [](Canvas canvas) { draw_progress_bar(canvas, 0.5, false, 0s); });
  EXPECT_EQ(half.at(4, 0).role, Role::kBarDone);
  EXPECT_EQ(half.at(5, 0).role, Role::kBarRest);
}

// proves: UI-3
TEST(ProgressBar, IsAlive) {
  const auto lit = [](Duration time) {
    const Screen screen = screen_of({10, 1}, [&](Canvas canvas) { draw_progress_bar(canvas, 0.8, true, time); });
    int cell = 0;
    while (cell < 10 && screen.at(cell, 0).role != Role::kBarGlint) ++cell;
    return cell;
  };
  EXPECT_EQ(lit(0s), 0);
  EXPECT_EQ(lit(250ms), 3);
  EXPECT_NE(bar(std::nullopt, Glyphs::kUnicode, 0s), bar(std::nullopt, Glyphs::kUnicode, 100ms));
}

// proves: UI-3
TEST(Spinner, TurnsInSeveralStyles) {
  std::set<char32_t> seen;
  for (const SpinnerStyle style : {SpinnerStyle::kDots, SpinnerStyle::kBars, SpinnerStyle::kLine}) {
    EXPECT_NE(spinner(style, 0ms, Glyphs::kUnicode), spinner(style, 100ms, Glyphs::kUnicode));
    EXPECT_EQ(spinner(style, 0ms, Glyphs::kUnicode), spinner(style, 99ms, Glyphs::kUnicode));
    seen.insert(spinner(style, 0ms, Glyphs::kUnicode));
    EXPECT_LT(spinner(style, 300ms, Glyphs::kAscii), 0x80u);
  }
  EXPECT_EQ(seen.size(), 3u);
}

// proves: UI-3
TEST(Figures, CountersRatesAndTimer) {
  const live::LiveView view = running_view();
  EXPECT_EQ(counter("n", 1'234'567).value, "1,234,567");
  EXPECT_EQ(windowed_rate(view).value, "12,480/s");
  EXPECT_EQ(total_rate(view).value, "11,902/s");
  EXPECT_EQ(timer(view).value, "2m06s");
  EXPECT_EQ(timer(view).note, "of 5m00s");
}

// proves: UI-3
TEST(Title, LettersWithColoursFromLeftToRight) {
  const Screen large = screen_of({60, 4}, draw_large_title);
  EXPECT_THAT(large.text(), HasSubstr("|__  |  |"));
  EXPECT_EQ(large.at(0, 0).role, Role::kTitle1);
  EXPECT_EQ(large.at(44, 2).role, Role::kTitle6);
  std::set<Role> roles;
  const Screen small = screen_of({20, 1}, [](Canvas canvas) { draw_title(canvas); });
  EXPECT_EQ(small.text(), "hyperscale\n");
  for (int x = 0; x < 10; ++x) roles.insert(small.at(x, 0).role);
  EXPECT_EQ(roles.size(), 6u);
}

// proves: UI-3
TEST(Paragraph, WrapsAndCentres) {
  EXPECT_EQ(text_of({10, 3}, [](Canvas c) { draw_paragraph(c, "one two three four", Role::kText, false); }),
            "one two\nthree four\n\n");
  EXPECT_EQ(text_of({12, 3}, [](Canvas c) { draw_paragraph(c, "ab", Role::kText, true); }), "\n     ab\n\n");
}

// proves: UI-3
TEST(StatusBar, TheLightMovesAndTheWordsStay) {
  const auto bar_at = [](Duration time) {
    return screen_of({30, 1}, [&](Canvas c) { draw_animated_status_bar(c, "Stopping: wait", Role::kWarning, time); });
  };
  EXPECT_EQ(bar_at(0s).text(), "Stopping: wait\n");
  EXPECT_EQ(bar_at(600ms).text(), "Stopping: wait\n");
  EXPECT_NE(bar_at(240ms), bar_at(600ms));
  const Screen still = screen_of({30, 1}, [](Canvas c) { draw_status_bar(c, "Paused", Role::kWarning); });
  EXPECT_EQ(still.text(), "Paused\n");
}

TEST(StatusBar, SaysWhatTheStateMeans) {
  live::LiveView view;
  view.state = live::RunState::kRunning;
  EXPECT_EQ(status_sentence(view), "");
  view.executors = 4;
  view.executors_alive = 3;
  EXPECT_THAT(status_sentence(view), HasSubstr("3 of 4 executors"));
  view.state = live::RunState::kPaused;
  EXPECT_THAT(status_sentence(view), HasSubstr("Press p"));
}

Table small_table(std::size_t rows) {
  Table table{.columns = {{"step", 8, 9}, {"requests", 8, 2}, {"p99", 6, 5}}};
  for (std::size_t i = 0; i < rows; ++i) table.rows.push_back({{"s" + std::to_string(i)}, {"12"}, {"3ms"}});
  table.footer = {{{"all"}, {"24"}, {"4ms"}}};
  table.rows_are = "steps";
  return table;
}

// proves: UI-3
TEST(Table, AlignsFiguresToTheRight) {
  const Table table = small_table(1);
  EXPECT_EQ(text_of({30, 3}, [&](Canvas c) { draw_table(c, table); }),
            "step      requests         p99\n"
            "s0              12         3ms\n"
            "all             24         4ms\n");
}

TEST(Table, TheLeastTellingColumnGoesFirst) {
  const std::string text = text_of({20, 3}, [](Canvas c) { draw_table(c, small_table(1)); });
  EXPECT_THAT(text, Not(HasSubstr("requests")));
  EXPECT_THAT(text, HasSubstr("p99"));
}

TEST(Table, SaysHowManyRowsAreHiddenAndMoves) {
  const std::string top = text_of({30, 6}, [](Canvas c) { draw_table(c, small_table(9)); });
  EXPECT_THAT(top, HasSubstr("s2"));
  EXPECT_THAT(top, HasSubstr("… 6 more steps"));
  EXPECT_THAT(top, HasSubstr("all"));
  const std::string moved = text_of({30, 6}, [](Canvas c) { draw_table(c, small_table(9), 2); });
  EXPECT_THAT(moved, HasSubstr("s4"));
  EXPECT_THAT(moved, HasSubstr("… 2 steps above, 4 below"));
  EXPECT_EQ(last_first_row(9, 6, true), 6u);
  const std::string end = text_of({30, 6}, [](Canvas c) { draw_table(c, small_table(9), 99); });
  EXPECT_THAT(end, HasSubstr("s8"));
}

TEST(DotGrid, PutsDotsIntoCells) {
  const auto dots = [](Ink ink, std::vector<std::pair<int, int>> where) {
    DotGrid grid(2, 1, ink);
    for (const auto& [x, y] : where) grid.set(x, y, Role::kRate);
    return text_of({2, 1}, [&](Canvas c) { grid.draw(c); });
  };
  EXPECT_EQ(dots(Ink::kBraille, {{0, 0}}), "⡀\n");
  EXPECT_EQ(dots(Ink::kBraille, {{0, 3}, {1, 3}}), "⠉\n");
  EXPECT_EQ(dots(Ink::kBraille, {{2, 0}, {3, 3}}), " ⡈\n");
  EXPECT_EQ(dots(Ink::kBlocks, {{0, 0}, {1, 1}}), "▞\n");
  EXPECT_EQ(dots(Ink::kAscii, {{0, 0}, {1, 0}, {1, 1}}), ".:\n");
  EXPECT_EQ(dots(Ink::kBraille, {{-1, 0}, {4, 0}, {0, 4}, {0, -1}}), "\n");
}

TEST(Plots, ShortCounts) {
  EXPECT_EQ(short_count(0), "0");
  EXPECT_EQ(short_count(0.5), "0.5");
  EXPECT_EQ(short_count(9'999), "9,999");
  EXPECT_EQ(short_count(12'500), "12.5k");
  EXPECT_EQ(short_count(1'204'100), "1.2M");
  EXPECT_EQ(short_count(3e9), "3G");
}

TEST(Plots, AxesEndOnRoundFigures) {
  EXPECT_EQ(round_ceiling(0), 1);
  EXPECT_EQ(round_ceiling(1), 1);
  EXPECT_EQ(round_ceiling(1.01), 1.5);
  EXPECT_EQ(round_ceiling(4'800), 5'000);
  EXPECT_EQ(round_ceiling(5'001), 6'000);
  EXPECT_EQ(round_ceiling(8'001), 10'000);
}

live::PointSeries course_of(std::vector<double> rates, double errors = 0) {
  live::PointSeries series;
  for (const double rate : rates) {
    series.push({.rate_per_s = rate, .errors_per_s = errors, .p50 = 2ms, .p95 = 5ms, .p99 = 10ms});
  }
  return series;
}

// proves: UI-3
TEST(Plots, LatencyIsAScatterOfPercentiles) {
  const Screen screen =
      screen_of({60, 6}, [](Canvas c) { draw_latency_plot(c, course_of({1, 1, 1, 1}), Ink::kBraille); });
  EXPECT_THAT(screen.text(), HasSubstr("p50 2.00ms  p95 5.00ms  p99 10.0ms"));
  EXPECT_THAT(screen.text(), HasSubstr("10ms ┤"));
  EXPECT_EQ(screen.at(59, 1).role, Role::kP99);
  EXPECT_EQ(screen.at(59, 3).role, Role::kP95);
  EXPECT_EQ(screen.at(59, 5).role, Role::kText);
  EXPECT_EQ(screen.at(59, 4).role, Role::kP50);
  EXPECT_EQ(screen.at(58, 1).glyph, U'⠉');
  EXPECT_EQ(screen.at(57, 1).glyph, U' ');
}

TEST(Plots, RateIsFilledAndMarksErrors) {
  const auto plot = [](double errors) {
    return screen_of(
        {40, 5}, [&](Canvas c) { draw_rate_plot(c, course_of({500, 1'000, 1'000, 1'000}, errors), Ink::kBraille); });
  };
  const Screen calm = plot(0), failing = plot(3);
  EXPECT_EQ(calm.at(39, 1).glyph, U'⣿');
  EXPECT_EQ(calm.at(39, 4).glyph, U'⣿');
  EXPECT_EQ(calm.at(38, 1).glyph, U'⢸');
  EXPECT_EQ(calm.at(39, 1).role, Role::kRate);
  EXPECT_EQ(failing.at(39, 1).role, Role::kRateFailing);
  EXPECT_THAT(failing.text(), HasSubstr("errors 3.00/s"));
}

TEST(Plots, ASmallRateIsStillSeen) {
  const Screen screen = screen_of({40, 5}, [](Canvas c) { draw_rate_plot(c, course_of({10'000, 1}), Ink::kBraille); });
  EXPECT_EQ(screen.at(39, 4).glyph, U'⣇');
}

TEST(Outcomes, OkFirstThenTheFrequentFailures) {
  const std::vector<OutcomeCount> counts = outcome_counts(failing_view());
  ASSERT_EQ(counts.size(), 6u);
  EXPECT_EQ(counts[0].outcome, results::Outcome::kOk);
  EXPECT_EQ(counts[1].outcome, results::Outcome::kStatus);
  EXPECT_EQ(counts[5].outcome, results::Outcome::kBodyMismatch);
  const std::string line = text_of({60, 1}, [](Canvas c) { draw_outcome_line(c, failing_view()); });
  EXPECT_EQ(line, "ok 1,551,652   status 41,007   4 more kinds: 20,223\n");
  const std::string list = text_of({30, 3}, [](Canvas c) { draw_outcome_list(c, failing_view()); });
  EXPECT_THAT(list, HasSubstr("4 more kinds: 20,223"));
  EXPECT_THAT(list, HasSubstr("1,551,652   96.2%"));
}

TEST(Thresholds, BrokenOnesComeFirst) {
  live::LiveView view = running_view();
  view.thresholds.back().state = live::ThresholdState::kFailing;
  view.thresholds.back().actual = "98%";
  const std::string list = text_of({40, 2}, [&](Canvas c) { draw_threshold_list(c, view.thresholds); });
  EXPECT_EQ(list, "✗ check:has total:rate>99%           98%\n  3 more\n");
}

TEST(LogTail, TheNewestLinesAreShown) {
  const live::LiveView view = failing_view();
  const std::string log = text_of({50, 2}, [&](Canvas c) { draw_log_tail(c, view.log); });
  EXPECT_THAT(log, Not(HasSubstr("8 executors ready")));
  EXPECT_THAT(log, HasSubstr("3m10s  connect to 203.0.113.7:443"));
}

TEST(WorkflowTabs, TheShownOneIsAlwaysVisible) {
  const live::LiveView view = crowded_view();
  for (std::size_t i = 0; i < view.workflows.size(); ++i) {
    for (const int width : {60, 80, 200}) {
      const Screen tabs = screen_of({width, 1}, [&](Canvas c) { draw_workflow_tabs(c, view.workflows, i, false); });
      EXPECT_THAT(tabs.text(), HasSubstr(" " + std::to_string(i + 1) + " Interface" + std::to_string(i + 1)));
      EXPECT_THAT(tabs.text(), HasSubstr("in turn"));
      EXPECT_TRUE(std::ranges::any_of(tabs.row(0), [](const Cell& c) { return c.role == Role::kTabChosen; }));
    }
  }
}

TEST(KeyHelp, TheWayToAllKeysIsAlwaysThere) {
  for (const int width : {20, 60, 120}) {
    EXPECT_THAT(text_of({width, 1}, [](Canvas c) { draw_key_line(c, {.workflows = true}, 7); }), HasSubstr("? keys"));
  }
  EXPECT_THAT(text_of({80, 1}, [](Canvas c) { draw_key_line(c, {}, 7); }), Not(HasSubstr("hold")));
}

TEST(KeyHelp, TheLineOffersOnlyWhatCanBeDone) {
  const auto line = [](const KeyOffer& offer) {
    return text_of({80, 1}, [&](Canvas c) { draw_key_line(c, offer, 0); });
  };
  EXPECT_THAT(line({}), AllOf(HasSubstr("p pause"), Not(HasSubstr("p resume"))));
  EXPECT_THAT(line({.paused = true}), AllOf(HasSubstr("p resume"), Not(HasSubstr("p pause"))));
  EXPECT_THAT(line({.rate = false}), AllOf(HasSubstr("+- users"), Not(HasSubstr("rate"))));
  EXPECT_THAT(line({.users = false}), AllOf(HasSubstr("[] rate"), Not(HasSubstr("users"))));
}

TEST(KeyHelp, TickIsShownWhereThereIsRoom) {
  const auto line = [](int width, std::uint64_t tick) {
    return text_of({width, 1}, [&](Canvas c) { draw_key_line(c, {}, tick); });
  };
  EXPECT_THAT(line(120, 4711), HasSubstr("tick 4711   ? keys"));
  EXPECT_THAT(line(120, 0), Not(HasSubstr("tick")));
  EXPECT_THAT(line(40, 4711), Not(HasSubstr("tick")));
}

TEST(KeyHelp, ThePageHasRoomForEveryWord) {
  const std::string page = text_of({80, 24}, draw_key_page);
  EXPECT_THAT(page, AllOf(HasSubstr("pause the run"), HasSubstr("stop the run; again: stop at once ")));
  EXPECT_THAT(page, Not(HasSubstr("…")));
}

}  // namespace
}  // namespace hyperscale::tui

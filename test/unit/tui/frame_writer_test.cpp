#include "tui/cells/frame_writer.h"

#include "sample_views.h"
#include "terminal_model.h"

#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::tui {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string frame(FrameWriter& writer, const Screen& screen) {
  std::string bytes;
  writer.write(screen, bytes);
  return bytes;
}

TEST(FrameWriter, NothingChangedIsNoByte) {
  FrameWriter writer{Theme(Colours::k256)};
  const Screen screen = drawn(golden_screen("running_80x24"));
  EXPECT_FALSE(frame(writer, screen).empty());
  EXPECT_EQ(frame(writer, screen), "");
}

TEST(FrameWriter, OnlyWhatChangedIsWritten) {
  FrameWriter writer{Theme(Colours::kNone)};
  Screen screen({80, 24});
  frame(writer, screen);
  screen.put(7, 3, U'x', Role::kText);
  EXPECT_EQ(frame(writer, screen), "\x1b[?2026h\x1b[4;8H\x1b[0mx\x1b[?2026l");
  screen.put(9, 3, U'y', Role::kText);
  screen.put(11, 3, U'z', Role::kText);
  // Two unchanged cells cost less than a move of the cursor.
  EXPECT_EQ(frame(writer, screen), "\x1b[?2026h\x1b[4;10H\x1b[0my z\x1b[?2026l");
  screen.put(2, 0, U'a', Role::kBad);
  screen.put(40, 0, U'b', Role::kBad);
  EXPECT_EQ(frame(writer, screen), "\x1b[?2026h\x1b[1;3H\x1b[0;1ma\x1b[37Cb\x1b[?2026l");
}

TEST(FrameWriter, ARepaintWritesEverythingAgain) {
  FrameWriter writer{Theme(Colours::k16)};
  const Screen screen = drawn(golden_screen("running_80x24"));
  const std::string first = frame(writer, screen);
  EXPECT_THAT(first, HasSubstr("\x1b[2J"));
  writer.forget();
  EXPECT_EQ(frame(writer, screen), first);
  EXPECT_THAT(frame(writer, drawn(golden_screen("running_120x40"))), HasSubstr("\x1b[2J"));
  EXPECT_THAT(frame(writer, drawn(golden_screen("failing_120x40"))), Not(HasSubstr("\x1b[2J")));
}

TEST(FrameWriter, CursorIsSetAnewAfterWideGlyph) {
  FrameWriter writer{Theme(Colours::kNone)};
  Screen screen({10, 1});
  frame(writer, screen);
  screen.put(0, 0, U'日', Role::kText);
  screen.put(2, 0, U'a', Role::kText);
  EXPECT_THAT(frame(writer, screen), HasSubstr("日\x1b[1;3Ha"));
}

TEST(FrameWriter, ATerminalEndsUpWithTheScreen) {
  for (const Size size : {Size{80, 24}, Size{120, 40}}) {
    FrameWriter writer{Theme(Colours::k256)};
    TerminalModel terminal(size);
    for (const auto view : {starting_view, running_view, hostile_view, failing_view, crowded_view, paused_view}) {
      for (const bool help : {false, true}) {
        Screen screen(size);
        draw_screen(screen, view(), {.workflow = 1, .help = help, .animation = 730ms}, {});
        terminal.apply(frame(writer, screen));
        ASSERT_EQ(terminal.fault(), "");
        ASSERT_EQ(terminal.text(), screen.text());
      }
    }
  }
}

TEST(FrameWriter, RandomChangesToo) {
  static constexpr std::u32string_view kGlyphs = U"ab 日🔑é━⠿✓";
  rc::check([](std::uint8_t columns, std::uint8_t rows) {
    const Size size{columns % 30 + 1, rows % 6 + 1};
    FrameWriter writer{Theme(Colours::kNone)};
    TerminalModel terminal(size);
    Screen screen(size);
    const Theme theme(Colours::kNone);
    for (int round = 0; round < 12; ++round) {
      const int changes = *rc::gen::inRange(0, 10);
      for (int i = 0; i < changes; ++i) {
        screen.put(*rc::gen::inRange(0, size.columns), *rc::gen::inRange(0, size.rows),
                   kGlyphs[*rc::gen::inRange<std::size_t>(0, kGlyphs.size())],
                   *rc::gen::arbitrary<bool>() ? Role::kText : Role::kBad);
      }
      terminal.apply(frame(writer, screen));
      RC_ASSERT(terminal.fault().empty());
      RC_ASSERT(terminal.text() == screen.text());
      for (int y = 0; y < size.rows; ++y) {
        for (int x = 0; x < size.columns; ++x) {
          const Cell& cell = screen.at(x, y);
          if (cell.glyph != U' ') RC_ASSERT(terminal.look(x, y) == theme.sequence(cell.role));
        }
      }
    }
  });
}

// proves: UI-8
TEST(Theme, TheSameWidgetsInOtherColours) {
  const Screen screen = drawn(golden_screen("running_80x24"));
  Theme theme(Colours::kNone);
  const std::string before = coloured_text(screen, theme);
  const auto plain = [](const std::string& text) {
    return std::regex_replace(text, std::regex("\x1b\\[[0-9;]*m"), "");
  };
  theme.restyle(Role::kSection, "4;38;5;200");
  const std::string after = coloured_text(screen, theme);
  EXPECT_THAT(before, Not(HasSubstr("38;5;200")));
  EXPECT_THAT(after, HasSubstr("\x1b[0;4;38;5;200mLatency"));
  EXPECT_NE(before, after);
  EXPECT_EQ(plain(before), plain(after)) << "colours and attributes only";
  Theme one_style(Colours::kNone);
  for (std::size_t i = 0; i < kRoleCount; ++i) one_style.restyle(static_cast<Role>(i), "7;38;5;201");
  const std::string alike = coloured_text(screen, one_style);
  EXPECT_EQ(plain(alike), plain(before));
  EXPECT_EQ(std::regex_replace(alike, std::regex("\x1b\\[0(;7;38;5;201)?m"), ""), plain(alike)) << "none of their own";
  FrameWriter live{theme};
  EXPECT_THAT(frame(live, screen), HasSubstr("\x1b[0;4;38;5;200m")) << "and on the live screen";
}

TEST(Theme, WithoutColoursThereIsNone) {
  for (std::size_t i = 0; i < kRoleCount; ++i) {
    const auto role = static_cast<Role>(i);
    EXPECT_THAT(Theme(Colours::kNone).sequence(role), testing::MatchesRegex("\x1b\\[0(;[127])*m"));
    EXPECT_THAT(Theme(Colours::k16).sequence(role), Not(HasSubstr("38;5")));
  }
}

}  // namespace
}  // namespace hyperscale::tui

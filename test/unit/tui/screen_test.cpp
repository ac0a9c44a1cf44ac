#include "tui/cells/screen.h"

#include "tui/cells/canvas.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::tui {
namespace {

std::string text_of(std::string_view text, int width, Glyphs glyphs = Glyphs::kUnicode) {
  Screen screen({12, 1});
  Canvas(screen, {0, 0, width, 1}, glyphs).text(0, 0, text, Role::kText);
  return screen.text();
}

TEST(Screen, HalfAWideGlyphNeverStays) {
  Screen screen({4, 1});
  EXPECT_EQ(screen.put(1, 0, U'日', Role::kText), 2);
  EXPECT_EQ(screen.text(), " 日\n");
  EXPECT_EQ(screen.put(2, 0, U'x', Role::kText), 1);
  EXPECT_EQ(screen.text(), "  x\n");
  screen.put(2, 0, U'本', Role::kText);
  screen.put(1, 0, U'語', Role::kText);
  EXPECT_EQ(screen.text(), " 語\n");
  EXPECT_EQ(screen.put(3, 0, U'日', Role::kText), 0);
  EXPECT_EQ(screen.text(), " 語\n");
}

TEST(Screen, TakesNothingThatATerminalWouldActOn) {
  Screen screen({3, 1});
  EXPECT_EQ(screen.put(0, 0, U'\x1b', Role::kText), 1);
  EXPECT_EQ(screen.put(1, 0, 0x202e, Role::kText), 1);
  EXPECT_EQ(screen.put(2, 0, 0x301, Role::kText), 0);
  EXPECT_EQ(screen.put(3, 0, U'a', Role::kText), 0);
  EXPECT_EQ(screen.put(0, 1, U'a', Role::kText), 0);
  EXPECT_EQ(screen.put(-1, 0, U'a', Role::kText), 0);
  EXPECT_EQ(screen.text(), "??\n");
}

// proves: UI-3
TEST(Canvas, CutsAtItsEdge) {
  EXPECT_EQ(text_of("abcdef", 6), "abcdef\n");
  EXPECT_EQ(text_of("abcdef", 5), "abcd…\n");
  EXPECT_EQ(text_of("abcdef", 5, Glyphs::kAscii), "ab...\n");
  EXPECT_EQ(text_of("日本語", 5), "日本…\n");
  EXPECT_EQ(text_of("日本語", 4), "日…\n");
}

TEST(Canvas, ForeignTextIsMadeVisible) {
  EXPECT_EQ(text_of("\x1b[2Jx", 12), "\\x1b[2Jx\n");
  EXPECT_EQ(text_of("a\nb", 12), "a\\nb\n");
}

TEST(Canvas, PartsStayInside) {
  Screen screen({6, 3});
  Canvas canvas(screen, {1, 1, 4, 1}, Glyphs::kUnicode);
  Canvas part = canvas.part({2, 0, 99, 99});
  EXPECT_EQ(part.width(), 2);
  EXPECT_EQ(part.height(), 1);
  part.fill({-5, -5, 50, 50}, U'x', 'x', Role::kText);
  EXPECT_EQ(screen.text(), "\n   xx\n\n");
}

TEST(Canvas, AlignsToTheRightAndCutsWhatDoesNotFit) {
  Screen screen({8, 1});
  Canvas canvas(screen, screen.area(), Glyphs::kUnicode);
  EXPECT_EQ(canvas.text_until(8, 0, "12", Role::kText), 6);
  EXPECT_EQ(canvas.text_until(5, 0, "123456", Role::kText), 0);
  EXPECT_EQ(screen.text(), "1234… 12\n");
}

TEST(Canvas, WhateverIsDrawnStaysInsideAndWhole) {
  rc::check([](const std::vector<std::string>& texts) {
    Screen screen({20, 4});
    Canvas canvas(screen, {3, 1, 11, 2}, Glyphs::kUnicode);
    for (const std::string& text : texts) {
      canvas.text(*rc::gen::inRange(-3, 14), *rc::gen::inRange(-2, 4), *rc::gen::inRange(-2, 20), text + "日🔑e\u0301",
                  Role::kBad);
    }
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 20; ++x) {
        const Cell& cell = screen.at(x, y);
        if (!Area{3, 1, 11, 2}.contains(x, y)) RC_ASSERT(cell == Cell{});
        if (cell.part == CellPart::kLeftHalf) RC_ASSERT(screen.at(x + 1, y).part == CellPart::kRightHalf);
        if (cell.part == CellPart::kRightHalf) RC_ASSERT(screen.at(x - 1, y).part == CellPart::kLeftHalf);
      }
    }
  });
}

}  // namespace
}  // namespace hyperscale::tui

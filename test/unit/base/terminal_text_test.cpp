#include "base/terminal_text.h"

#include "base/utf8.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale {
namespace {

TEST(TerminalText, ControlCharactersBecomeVisible) {
  EXPECT_EQ(visible("a\r\n\tb", Glyphs::kUnicode), "a\\r\\n\\tb");
  EXPECT_EQ(visible("\x1b[31mred", Glyphs::kUnicode), "\\x1b[31mred");
  EXPECT_EQ(visible(std::string_view("\0", 1), Glyphs::kUnicode), "\\x00");
  EXPECT_EQ(visible("\xc2\x9b", Glyphs::kUnicode), "\\u{9b}");
  EXPECT_EQ(visible("\xe2\x80\xae", Glyphs::kUnicode), "\\u{202e}");
}

TEST(TerminalText, InvalidBytesBecomeVisible) {
  EXPECT_EQ(visible("\xff", Glyphs::kUnicode), "\\xff");
  EXPECT_EQ(visible("\xc0\xaf", Glyphs::kUnicode), "\\xc0\\xaf");
  EXPECT_EQ(visible("\xed\xa0\x80", Glyphs::kUnicode), "\\xed\\xa0\\x80");
  EXPECT_EQ(visible("\xe2\x82", Glyphs::kUnicode), "\\xe2\\x82");
}

TEST(TerminalText, AsciiHasNothingElse) {
  EXPECT_EQ(visible("é", Glyphs::kAscii), "\\u{e9}");
  EXPECT_EQ(visible("213µs", Glyphs::kAscii), "213us");
}

TEST(TerminalText, CutsToCellsNotBytes) {
  EXPECT_EQ(cells("日本"), 4u);
  EXPECT_EQ(cut("abcdef", 6, Glyphs::kUnicode), "abcdef");
  EXPECT_EQ(cut("abcdef", 4, Glyphs::kUnicode), "abc…");
  EXPECT_EQ(cut("abcdef", 5, Glyphs::kAscii), "ab...");
  EXPECT_EQ(cut("日本語", 5, Glyphs::kUnicode), "日本…");
  EXPECT_EQ(cut("abcdef", 0, Glyphs::kUnicode), "");
}

TEST(TerminalText, WrapsBetweenWords) {
  EXPECT_THAT(wrapped("one two three", 7, Glyphs::kUnicode), testing::ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("incomprehensible", 5, Glyphs::kUnicode), testing::ElementsAre("inco…"));
  EXPECT_THAT(wrapped("", 5, Glyphs::kUnicode), testing::IsEmpty());
}

TEST(TerminalText, WhateverComesInIsSafeAndFits) {
  rc::check([](const std::string& text) {
    const auto width = *rc::gen::inRange<std::size_t>(0, 40);
    for (const Glyphs glyphs : {Glyphs::kUnicode, Glyphs::kAscii}) {
      const std::string safe = visible(text, glyphs);
      RC_ASSERT(valid_utf8(safe) == safe);
      for (const char c : safe) RC_ASSERT((static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
      RC_ASSERT(cells(cut(safe, width, glyphs)) <= width);
    }
  });
}

TEST(Utf8, MendsWhatIsNotValid) {
  EXPECT_EQ(valid_utf8("a\xff€"), "a\xef\xbf\xbd€");
  EXPECT_EQ(valid_utf8("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80");
  EXPECT_EQ(valid_utf8("\xf4\x90\x80\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

}  // namespace
}  // namespace hyperscale

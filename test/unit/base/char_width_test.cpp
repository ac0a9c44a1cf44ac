#include "base/char_width.h"

#include <gtest/gtest.h>

namespace hyperscale {
namespace {

TEST(CharWidth, WideJoiningAndPlain) {
  for (const char32_t plain : U"aé€µ█⠿─→ж") {
    EXPECT_EQ(cells_of(plain), 1u) << static_cast<unsigned>(plain);
  }
  for (const char32_t wide : {U'日', U'한', U'Ａ', U'😀', U'⚡', U'✅', char32_t{0x20000}}) {
    EXPECT_EQ(cells_of(wide), 2u) << static_cast<unsigned>(wide);
  }
  for (const char32_t joining : {char32_t{0x301}, char32_t{0xfe0f}, char32_t{0xe34}, char32_t{0x1f3fd}}) {
    EXPECT_EQ(cells_of(joining), 0u) << static_cast<unsigned>(joining);
  }
}

TEST(CharWidth, EndsOfRanges) {
  EXPECT_EQ(cells_of(0x2ff), 1u);
  EXPECT_EQ(cells_of(0x300), 0u);
  EXPECT_EQ(cells_of(0x36f), 0u);
  EXPECT_EQ(cells_of(0x370), 1u);
  EXPECT_EQ(cells_of(0x10ff), 1u);
  EXPECT_EQ(cells_of(0x115f), 2u);
  EXPECT_EQ(cells_of(0x10ffff), 1u);
}

}  // namespace
}  // namespace hyperscale

#include "runtime/config/safe_text.h"

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

TEST(SafeText, PlainTextIsValidUtf8WithoutControls) {
  for (const char* plain : {"", "abc", "caf\u00e9", "\u6f22", "\U0001F600", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_plain_text(plain)) << plain;
  }
  for (const char* other : {"\n", "\t", "a\x7f", "\u0085", "\u2028", "\u2029", "\x80", "\xC0\x80", "\xC1\xBF",
                            "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
                            "\xC3", "\xE6\xBC", "\xC3(", "\xFF"}) {
    EXPECT_FALSE(is_plain_text(other)) << printable(other);
  }
  EXPECT_FALSE(is_plain_text(std::string_view("\0", 1)));
}

TEST(SafeText, PrintableEscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("caf\u00e9"), "caf\u00e9");
  EXPECT_EQ(printable("a\nb\x1b[31m"), "a\\x0ab\\x1b[31m");
  EXPECT_EQ(printable("\xff\u2028"), "\\xff\\xe2\\x80\\xa8");
}

TEST(SafeText, PrintableIsCut) {
  EXPECT_EQ(printable(std::string(kShownBytesMax, 'x')), std::string(kShownBytesMax, 'x'));
  EXPECT_EQ(printable(std::string(5000, 'x')), std::string(kShownBytesMax, 'x') + "...");
}

TEST(SafeText, TomlQuotedEscapesQuotesAndBackslashes) {
  EXPECT_EQ(toml_quoted("a\"b\\c"), "\"a\\\"b\\\\c\"");
}

}  // namespace
}  // namespace hyperscale::runtime

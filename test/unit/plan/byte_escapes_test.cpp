#include "plan/byte_escapes.h"

#include "base/prng.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::HasSubstr;

TEST(ByteEscapes, EachStandsForItsByte) {
  EXPECT_EQ(unescaped("PING\\r\\n"), "PING\r\n");
  EXPECT_EQ(unescaped("\\t\\\\"), "\t\\");
  EXPECT_EQ(unescaped("\\x00\\x41\\xfF"), std::string("\0A\xff", 3));
  EXPECT_EQ(unescaped("\\x0d1"), "\r1");  // two digits, never more
  EXPECT_EQ(unescaped(""), "");
  EXPECT_EQ(unescaped("\xc3\xa4 \n"), "\xc3\xa4 \n");  // what is no escape stays
}

TEST(ByteEscapes, AMistakeIsNamedWithItsPlace) {
  const auto error_of = [](std::string_view text) { return unescaped(text).error().context; };
  EXPECT_EQ(error_of("PING\\q"), "\"\\q\" at position 5 is not an escape; there are \\r \\n \\t \\xNN and \\\\");
  EXPECT_THAT(error_of("a\\"), HasSubstr("\"\\\" at position 2"));
  EXPECT_THAT(error_of("\\x4"), HasSubstr("\"\\x4\" at position 1"));
  EXPECT_THAT(error_of("\\xg0"), HasSubstr("\"\\xg0\" at position 1"));
  EXPECT_THAT(error_of("\\\\\\0"), HasSubstr("\"\\0\" at position 3"));
  EXPECT_THAT(error_of("\\\x1b"), HasSubstr("\"\\\\x1b\" at position 1")) << "nothing that moves a cursor";
}

TEST(ByteEscapes, EscapedIsReadBackAsTheSameBytes) {
  EXPECT_EQ(escaped(std::string_view("+PONG\r\n\t\\\0\x7f\xe2", 12)), "+PONG\\r\\n\\t\\\\\\x00\\x7f\\xe2");
  Prng prng(7);
  for (int i = 0; i < 1000; ++i) {
    std::string bytes;
    for (std::uint64_t size = prng.below(40); size > 0; --size) bytes += static_cast<char>(prng.below(256));
    EXPECT_EQ(unescaped(escaped(bytes)), bytes);
  }
}

}  // namespace
}  // namespace hyperscale::plan

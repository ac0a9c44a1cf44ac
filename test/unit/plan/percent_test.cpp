#include "plan/percent.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

TEST(Percent, KnownForms) {
  EXPECT_EQ(percent_encode("a b&c=d/e?f"), "a%20b%26c%3Dd%2Fe%3Ff");
  EXPECT_EQ(percent_encode("Az09-._~"), "Az09-._~");
  EXPECT_EQ(percent_encode("\xc3\xa4"), "%C3%A4");
  EXPECT_EQ(percent_decode("a%20b+%c3%A4"), "a b+\xc3\xa4");
}

TEST(Percent, BrokenEscapes) {
  for (const std::string_view bad : {"%", "a%", "a%2", "%zz", "%2g", "%%20"}) {
    EXPECT_TRUE(broken_escape(bad)) << bad;
    EXPECT_FALSE(percent_decode(bad)) << bad;
  }
  EXPECT_EQ(broken_escape("%20%"), 3);
  EXPECT_FALSE(broken_escape("%20x%ff"));
}

RC_GTEST_PROP(Percent, DecodesWhatWasEncoded, (const std::string& text)) {
  const std::string encoded = percent_encode(text);
  RC_ASSERT(percent_decode(encoded) == text);
  for (const char c : encoded) RC_ASSERT((c > ' ' && c <= '~'));
}

}  // namespace
}  // namespace hyperscale::plan

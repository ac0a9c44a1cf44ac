#include "base/nearest_match.h"

#include <vector>

#include <gtest/gtest.h>

namespace hyperscale {
namespace {

const std::vector<std::string> kNames{"timeout", "drain", "threads", "port", "host", "log_level"};

TEST(NearestMatch, FindsTheTypo) {
  EXPECT_EQ(nearest_match("timeuot", kNames), "timeout");   // swapped neighbours
  EXPECT_EQ(nearest_match("timeot", kNames), "timeout");    // missing letter
  EXPECT_EQ(nearest_match("threadss", kNames), "threads");  // one too many
  EXPECT_EQ(nearest_match("dr4in", kNames), "drain");       // wrong letter
  EXPECT_EQ(nearest_match("loglevel", kNames), "log_level");
  EXPECT_EQ(nearest_match("TimeOut", kNames), "timeout");  // case
}

TEST(NearestMatch, StaysSilentForAnotherWord) {
  EXPECT_EQ(nearest_match("certificate", kNames), std::nullopt);
  EXPECT_EQ(nearest_match("x", kNames), std::nullopt);
  EXPECT_EQ(nearest_match("", kNames), std::nullopt);
  EXPECT_EQ(nearest_match("timeout", {}), std::nullopt);
}

TEST(NearestMatch, SwapCountsAsOneEdit) {
  // Two replacements would be too far for four letters.
  EXPECT_EQ(nearest_match("prot", kNames), "port");
  // A swap with a letter between: two edits, where plain Levenshtein needs three.
  EXPECT_EQ(nearest_match("abcdfxe", std::vector<std::string>{"abcdef"}), "abcdef");
}

TEST(NearestMatch, NearestWinsThenTheFirst) {
  EXPECT_EQ(nearest_match("hosts", std::vector<std::string>{"hosed", "host"}), "host");
  EXPECT_EQ(nearest_match("hast", std::vector<std::string>{"hist", "host"}), "hist");
}

TEST(NearestMatch, LengthLimit) {
  const std::string longest(kMatchLengthMax, 'a');
  EXPECT_EQ(nearest_match(longest, std::vector<std::string>{longest}), longest);
  EXPECT_EQ(nearest_match(longest + "a", std::vector<std::string>{longest}), std::nullopt);
  EXPECT_EQ(nearest_match(longest, std::vector<std::string>{longest + "a"}), std::nullopt);
}

}  // namespace
}  // namespace hyperscale

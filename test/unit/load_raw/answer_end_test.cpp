#include "load/protocols/raw/answer_end.h"

#include "base/prng.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

// Feeds an answer in pieces of the given size; where it ends, or npos.
std::size_t end_of(const AnswerEnd& rule, const std::string& bytes, std::size_t piece) {
  AnswerEnd::Progress progress;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const auto taken = rule.take(as_bytes(bytes).subspan(at, std::min(piece, bytes.size() - at)), progress);
    if (taken.done) return at + taken.size;
  }
  return std::string::npos;
}

TEST(AnswerEnd, UntilIsPartOfTheAnswer) {
  const AnswerEnd rule("\r\n", 0);
  for (const std::size_t piece : {1, 2, 3, 100}) {
    EXPECT_EQ(end_of(rule, "+PONG\r\n+PONG\r\n", piece), 7U) << piece;
    EXPECT_EQ(end_of(rule, "\r\r\n", piece), 3U) << piece;
    EXPECT_EQ(end_of(rule, "\r", piece), std::string::npos) << piece;
  }
}

TEST(AnswerEnd, BytesAreCounted) {
  const AnswerEnd rule("", 5);
  for (const std::size_t piece : {1, 2, 5, 100}) {
    EXPECT_EQ(end_of(rule, "1234567", piece), 5U) << piece;
    EXPECT_EQ(end_of(rule, "1234", piece), std::string::npos) << piece;
  }
}

TEST(AnswerEnd, WithoutARuleTheFirstBytesAreTheAnswer) {
  EXPECT_EQ(end_of(AnswerEnd(), "1234567", 3), 3U);
  EXPECT_TRUE(AnswerEnd().ends_with(as_bytes("")));
}

TEST(AnswerEnd, ADatagramEndsItWhenItHasUntil) {
  const AnswerEnd rule("END", 0);
  EXPECT_TRUE(rule.ends_with(as_bytes("row END ")));
  EXPECT_FALSE(rule.ends_with(as_bytes("row EN")));
}

// Against a plain search, for texts of few letters, which have many false starts.
TEST(AnswerEnd, FindsWhatASearchFindsInAnySplit) {
  Prng prng(11);
  for (int round = 0; round < 20'000; ++round) {
    const auto text = [&](std::uint64_t size) {
      std::string made;
      while (made.size() < size) made += static_cast<char>('a' + prng.below(2));
      return made;
    };
    const std::string until = text(1 + prng.below(6));
    const std::string answer = text(prng.below(40));
    const std::size_t found = answer.find(until);
    const std::size_t expected = found == std::string::npos ? found : found + until.size();
    ASSERT_EQ(end_of(AnswerEnd(until, 0), answer, 1 + prng.below(8)), expected) << until << " in " << answer;
  }
}

}  // namespace
}  // namespace hyperscale::load

#include "results/outcome.h"

#include <set>

#include <gmock/gmock.h>

namespace hyperscale::results {
namespace {

TEST(Outcome, EachHasANameOfItsOwnAndADescription) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kOutcomeCount; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    EXPECT_TRUE(names.insert(name(outcome)).second) << name(outcome);
    EXPECT_FALSE(description(outcome).empty());
    EXPECT_THAT(std::string(name(outcome)), testing::MatchesRegex("[a-z_]+"));
  }
}

// Names are in files and thresholds of users.
TEST(Outcome, NamesStay) {
  EXPECT_EQ(name(Outcome::kOk), "ok");
  EXPECT_EQ(name(Outcome::kStatus), "status");
  EXPECT_EQ(name(Outcome::kBodyMismatch), "body_mismatch");
  EXPECT_EQ(name(Outcome::kFirstByteTimeout), "first_byte_timeout");
  EXPECT_EQ(name(Outcome::kCut), "cut");
  EXPECT_EQ(name(Outcome::kScript), "script");
  EXPECT_EQ(name(Outcome::kRedirected), "redirected");
  EXPECT_EQ(name(Outcome::kGraphql), "graphql");
  EXPECT_EQ(description(Outcome::kFirstByteTimeout), "no answer before the timeout");
}

TEST(Outcome, OnlyOkAndRedirectedAreNoErrors) {
  for (std::size_t i = 0; i < kOutcomeCount; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    EXPECT_EQ(is_error(outcome), outcome != Outcome::kOk && outcome != Outcome::kRedirected) << name(outcome);
  }
}

}  // namespace
}  // namespace hyperscale::results

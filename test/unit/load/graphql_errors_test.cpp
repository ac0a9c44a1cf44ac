#include "load/graphql_errors.h"

#include "load/expectation.h"

#include <string>

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

TEST(GraphqlErrors, AreFoundAtTheTopOnly) {
  EXPECT_TRUE(has_graphql_errors(R"({"errors":[{"message":"no such field"}]})"));
  EXPECT_TRUE(has_graphql_errors(R"({"data":{"a":[1,2,{"b":"}"}]},"errors":[{"message":"x"}]})"));
  EXPECT_TRUE(has_graphql_errors("\n { \"errors\" : [ {} ] }"));
  EXPECT_TRUE(has_graphql_errors(R"({"errors":"not a list, and still no good answer"})"));
  EXPECT_FALSE(has_graphql_errors(R"({"data":{"errors":[{"message":"a field of that name"}]}})"));
  EXPECT_FALSE(has_graphql_errors(R"({"data":{"a":"\"errors\":[1]"}})"));
}

TEST(GraphqlErrors, AnEmptyListOrNullIsNone) {
  EXPECT_FALSE(has_graphql_errors(R"({"errors":[],"data":{}})"));
  EXPECT_FALSE(has_graphql_errors(R"({"data":{},"errors":null})"));
}

TEST(GraphqlErrors, OtherTextHasNone) {
  for (const char* text : {"", "<html>errors</html>", "[1]", "7", "\"errors\"", "{\"errors\"", "{\"data\":{}"})
    EXPECT_FALSE(has_graphql_errors(text)) << text;
  EXPECT_TRUE(has_graphql_errors(R"({"data":")" + std::string(100'000, 'x') + R"(","errors":[1]})"));
}

TEST(GraphqlErrors, AreAnOutcomeOfAnswersThatExpectNone) {
  ExchangeReport report;
  report.status = 200;
  report.complete = true;
  report.body = R"({"errors":[{"message":"no such field"}]})";
  plan::Expectation expected;
  std::string_view message;
  EXPECT_EQ(judge(expected, report, message), results::Outcome::kOk);
  expected.graphql = true;
  EXPECT_EQ(judge(expected, report, message), results::Outcome::kGraphql);
  EXPECT_EQ(message, "the GraphQL answer has errors");
  report.outcome = results::Outcome::kStatus;
  EXPECT_EQ(judge(expected, report, message), results::Outcome::kStatus) << "a bad status says more";
  report.outcome = results::Outcome::kOk;
  report.body = R"({"data":{}})";
  EXPECT_EQ(judge(expected, report, message), results::Outcome::kOk);
}

}  // namespace
}  // namespace hyperscale::load

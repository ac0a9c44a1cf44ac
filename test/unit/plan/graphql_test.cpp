#include "plan/arguments/graphql.h"

#include "plan/arguments/graphql_lexer.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string text_of(std::string_view document) {
  const auto read = read_graphql_document(document);
  return read ? read->text : read.error().context;
}

std::string query_error(GraphqlValue value) {
  Query query(std::move(value));
  const Status optimised = query.optimise();
  return optimised ? "accepted" : optimised.error().context;
}

std::string mutation_error(GraphqlValue value) {
  Mutation mutation(std::move(value));
  const Status optimised = mutation.optimise();
  return optimised ? "accepted" : optimised.error().context;
}

TEST(GraphqlDocument, LosesWhatMeansNothing) {
  EXPECT_EQ(text_of("{ user }"), "{user}");
  EXPECT_EQ(text_of("\xef\xbb\xbf# a comment \xc3\xa4\r\nquery  Q ( $id : ID! , $n:Int=3 ) @live {\n\ta , b\r}"),
            "query Q($id:ID!$n:Int=3)@live{a b}");
  EXPECT_EQ(text_of("{ a: b(x: 1 y: -2.5e+3 z: \"t # no comment\") ... on T { c } }"),
            "{a:b(x:1 y:-2.5e+3 z:\"t # no comment\")...on T{c}}");
  EXPECT_EQ(text_of("{ a ...F @include(if: true) } fragment F on T @x { b }"),
            "{a ...F@include(if:true)}fragment F on T@x{b}");
  EXPECT_EQ(text_of("{ a(b: \"\" , c: \"\") }"), "{a(b:\"\" c:\"\")}");
  EXPECT_EQ(text_of("{ a(b: [\"\" , \"x\"]) }"), "{a(b:[\"\" \"x\"])}") << "together they would start a block string";
}

TEST(GraphqlDocument, KnowsTheWholeGrammarOfValuesAndTypes) {
  const std::string document =
      "subscription S($a:[[Int!]!]!=[[1][]]@d(x:{y:[ENUM null true]}))@e{"
      "f(i:0 n:-0 g:1.5 h:1E9 s:\"\\u00e4\\u{1F600}\\ud83d\\ude00\\n\" b:\"\"\"x \\\"\"\" \"y\"\n  z\"\"\" e:on t:true "
      "l:[]"
      "o:{}v:$a){...{g}...@skip(if:false){query mutation fragment}}}";
  EXPECT_EQ(text_of(document), document);
}

TEST(GraphqlDocument, TellsWhereItIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "1:1: there is no operation"},
      {"  # only a comment", "1:1: there is no operation"},
      {"{ }", "1:3: expected a field, found \"}\""},
      {"{ a", "1:4: expected a field, found the end"},
      {"{ a } }", "1:7: expected an operation or a fragment, found \"}\""},
      {"{\n  a(\n  )\n}", "3:3: expected an argument"},
      {"query Q() { a }", "1:9: expected a variable such as $id"},
      {"query Q($a) { a }", "1:11: expected \":\""},
      {"query Q($a: ) { a }", "1:13: expected a type"},
      {"query Q($a: [Int) { a }", "1:17: expected \"]\""},
      {"query Q($a: Int = $b) { a }", "1:19: a variable where only a constant may be"},
      {"query Q($a: Int @d(x: $a)) { a }", "only a constant"},
      {"query Q", "1:8: expected \"{\", found the end"},
      {"type T { a: Int }", "1:1: expected an operation or a fragment, found \"type\""},
      {"schema { query: Q }", "expected an operation or a fragment"},
      {"fragment on on T { a }", "1:10: expected the name of a fragment"},
      {"fragment F T { a }", "1:12: expected \"on\""},
      {"{ ...on { a } }", "1:9: expected the type of an inline fragment"},
      {"{ a: }", "1:6: expected a field after its alias"},
      {"{ a(b: ) }", "1:8: expected a value"},
      {"{ a(b 1) }", "1:7: expected \":\""},
      {"{ a(b: 1, b: 2) }", "1:11: argument b is given twice"},
      {"{ a(b: {c 1}) }", "expected \":\""},
      {"{ a(b: [1) }", "expected a value"},
      {"{ a @ }", "expected the name of a directive"},
      {"{ a(b: 01) }", "1:8: a number has a zero too many"},
      {"{ a(b: 1.) }", "1:10: a digit is missing"},
      {"{ a(b: -) }", "a digit is missing"},
      {"{ a(b: 1e) }", "a digit is missing"},
      {"{ a(b: 1x) }", "1:9: a number is followed by a letter"},
      {"{ a(b: 1.2.3) }", "a number is followed by a letter or a point"},
      {"{ a(b: \"x\n\") }", "1:8: a string has no end on its line"},
      {"{ a(b: \"x", "1:8: a string has no end"},
      {"{ a(b: \"\"\"x\"\"", "1:8: a block string has no end"},
      {"{ a(b: \"\\q\") }", "1:9: an unknown escape"},
      {"{ a(b: \"\\u12g4\") }", "four hexadecimal digits"},
      {"{ a(b: \"\\u{110000}\") }", "no character"},
      {"{ a(b: \"\\u{41\") }", "has no }"},
      {"{ a(b: \"\\ud800\") }", "no character"},
      {"{ a(b: \"\\udc00\") }", "no character"},
      {"{ a(b: \"\\ud800\\u0041\") }", "no character"},
      {"{ a(b: \"\x01\") }", "control character in a string"},
      {"{ a # \x02\n }", "control character in a comment"},
      {"{ a(b: \"\"\"\x03\"\"\") }", "control character in a block string"},
      {"{ a ; b }", "1:5: unexpected character ';'"},
      {"{ a . b }", "unexpected character '.'"},
      {"{ \xc3\xa4 }", "1:3: a character that is allowed only inside a string"},
      {"# \xc3\xa4\xc3\xa4\r\n{ \"\xc3\xa4\xc3\xa4\" }", "2:3: expected a field"},
      {"{ a(b: \"\xff\") }", "not UTF-8"},
  };
  for (const auto& [document, error] : cases) EXPECT_THAT(text_of(document), HasSubstr(error)) << document;
  EXPECT_THAT(text_of(std::string("{ a \0 }", 7)), HasSubstr("allowed only inside"));
}

TEST(GraphqlDocument, DefinitionsFitTogether) {
  const std::pair<const char*, const char*> cases[] = {
      {"query A { a } query A { b }", "1:21: operation A is there twice"},
      {"query A { a } mutation A { b }", "operation A is there twice"},
      {"{ a } query B { b }", "1:1: an operation beside others needs a name"},
      {"query B { b } query { a }", "1:15: an operation beside others needs a name"},
      {"{ ...F } fragment F on T { a } fragment F on T { a }", "fragment F is there twice"},
      {"fragment F on T { a }", "there is no operation"},
      {"{ a { ...F } }", "1:10: fragment F is not in the document"},
      {"{ a } fragment F on T { ...G }", "fragment G is not in the document"},
      {"{ ...F } fragment F on T { ...F }", "fragment F spreads itself"},
      {"{ ...F } fragment F on T { ...G } fragment G on T { a { ...F } }", "spreads itself"},
      {"query Q($a: Int, $a: Int) { a }", "1:19: variable $a is declared twice"},
      {"{ a(b: $c) }", "1:9: variable $c is not declared by the operation"},
      {"query Q { a(b: [{c: $d}]) }", "variable $d is not declared by operation Q"},
      {"query Q @x(y: $z) { a }", "variable $z is not declared"},
      {"query Q { ...F } fragment F on T { ...G } fragment G on T { a(b: $c) }", "1:67: variable $c is not declared"},
      {"query A($c: Int) { ...F } query B { ...F } fragment F on T { a(b: $c) }", "not declared by operation B"},
  };
  for (const auto& [document, error] : cases) EXPECT_THAT(text_of(document), HasSubstr(error)) << document;
  EXPECT_EQ(text_of("query A($c:Int){...F ...F}fragment F on T{...G}fragment G on T{a(b:$c)}"),
            "query A($c:Int){...F ...F}fragment F on T{...G}fragment G on T{a(b:$c)}");
}

TEST(GraphqlDocument, IsBounded) {
  const auto nested = [](std::size_t levels, const std::string& open, const std::string& inner,
                         const std::string& close) {
    std::string text;
    for (std::size_t i = 0; i < levels; ++i) text += open;
    text += inner;
    for (std::size_t i = 0; i < levels; ++i) text += close;
    return text;
  };
  EXPECT_THAT(text_of(nested(kGraphqlDepthMax, "{a", "", "}")), testing::StartsWith("{a{a"));
  EXPECT_THAT(text_of(nested(kGraphqlDepthMax + 1, "{a", "", "}")), HasSubstr("more than 128 levels"));
  EXPECT_THAT(text_of("{a(b:" + nested(100'000, "[", "", "]") + ")}"), HasSubstr("more than 128 levels"));
  EXPECT_THAT(text_of("{a(b:" + nested(100'000, "{c:", "1", "}") + ")}"), HasSubstr("more than 128 levels"));
  EXPECT_THAT(text_of("query($a:" + nested(100'000, "[", "I", "]") + "){a}"), HasSubstr("more than 128 levels"));
  EXPECT_THAT(text_of("{a" + nested(100'000, "...{", "a", "}") + "}"), HasSubstr("more than 128 levels"));
  EXPECT_THAT(text_of(std::string(kGraphqlBytesMax + 1, ' ')), HasSubstr("is more than 1048576"));
  std::string many;
  for (std::size_t i = 0; i <= kGraphqlDefinitionsMax; ++i) many += "query Q" + std::to_string(i) + "{a}";
  EXPECT_THAT(text_of(many), HasSubstr("more than 1000 definitions"));
}

TEST(Graphql, BecomesTheBodyOfAPost) {
  Query query({.document = "query User($id: ID!) { user(id: $id) { name(as: \"x\\n\") } }",
               .operation_name = "",
               .variables = "{ \"id\": 12345678901234567890, \"more\": [ 1, 2 ] }"});
  ASSERT_TRUE(query.optimise());
  const PreparedGraphql& prepared = query.prepared();
  EXPECT_EQ(prepared.document, "query User($id:ID!){user(id:$id){name(as:\"x\\n\")}}");
  EXPECT_EQ(prepared.operation_name, "User");
  EXPECT_EQ(prepared.body,
            "{\"query\":\"query User($id:ID!){user(id:$id){name(as:\\\"x\\\\n\\\")}}\",\"operationName\":\"User\","
            "\"variables\":{\"id\":12345678901234567890,\"more\":[1,2]}}");
  EXPECT_EQ(prepared.content_type, "application/json");
  EXPECT_EQ(prepared.content_length, std::to_string(prepared.body.size()));
  EXPECT_EQ(prepare_query({.document = "{ a }", .operation_name = "", .variables = ""})->body, "{\"query\":\"{a}\"}");
}

TEST(Graphql, AQueryIsAQueryAndAMutationAMutation) {
  const GraphqlValue query{.document = "query Q { a }", .operation_name = "", .variables = ""};
  const GraphqlValue mutation{.document = "mutation M { a }", .operation_name = "", .variables = ""};
  const GraphqlValue subscription{.document = "subscription S { a }", .operation_name = "", .variables = ""};
  EXPECT_EQ(query_error(query), "accepted");
  EXPECT_EQ(mutation_error(mutation), "accepted");
  EXPECT_EQ(query_error(mutation), "the GraphQL operation is a mutation, not a query");
  EXPECT_EQ(mutation_error(query), "the GraphQL operation is a query, not a mutation");
  EXPECT_THAT(query_error(subscription), HasSubstr("is a subscription, not a query"));
  EXPECT_TRUE(prepare_query_or_mutation(query));
  EXPECT_TRUE(prepare_query_or_mutation(mutation));
  EXPECT_THAT(prepare_query_or_mutation(subscription).error().context, HasSubstr("has no single answer"));
}

TEST(Graphql, OneOfSeveralOperationsIsChosen) {
  const std::string document = "query A { a } mutation B { b } query C($x: Int!) { c(x: $x) }";
  EXPECT_THAT(query_error({.document = document, .operation_name = "", .variables = ""}),
              HasSubstr("has 3 operations; say which one"));
  EXPECT_THAT(query_error({.document = document, .operation_name = "D", .variables = ""}),
              HasSubstr("has no operation \"D\""));
  EXPECT_EQ(query_error({.document = document, .operation_name = "A", .variables = ""}), "accepted");
  EXPECT_THAT(query_error({.document = document, .operation_name = "B", .variables = ""}), HasSubstr("is a mutation"));
  EXPECT_EQ(mutation_error({.document = document, .operation_name = "B", .variables = ""}), "accepted");
  EXPECT_THAT(query_error({.document = "{ a }", .operation_name = "A", .variables = ""}),
              HasSubstr("no operation \"A\""));
  EXPECT_THAT(prepare_mutation({.document = document, .operation_name = "B", .variables = ""})->body,
              HasSubstr("\"operationName\":\"B\""));
}

TEST(Graphql, VariablesAreAnObjectWithAllThatIsRequired) {
  const auto with = [](std::string variables) {
    return query_error(
        {.document = "query Q($a: Int!, $b: Int, $c: Int! = 1, $d: [Int!]) { a(a: $a b: $b c: $c d: $d) }",
         .operation_name = "",
         .variables = std::move(variables)});
  };
  EXPECT_EQ(with("{\"a\":1}"), "accepted");
  EXPECT_EQ(with("{\"\\u0061\":1}"), "accepted") << "an escape may hide the name";
  EXPECT_EQ(with(""), "variable $a is required and has no value");
  EXPECT_EQ(with("{\"b\":{\"a\":1}}"), "variable $a is required and has no value");
  EXPECT_THAT(with("[1]"), HasSubstr("variables: not a JSON object"));
  EXPECT_THAT(with("{\"a\":}"), HasSubstr("variables: JSON 1:6: a value is missing here"));
  EXPECT_THAT(with(" "), HasSubstr("variables: JSON 1:2"));
}

// Formatting is a normal form: doing it again changes nothing.
RC_GTEST_PROP(GraphqlDocument, FormattingTwiceIsFormattingOnce, ()) {
  static const std::vector<std::string> kPieces{
      "a",  "b", "{", "}", "(", ")", ":", "1",  "2.5",   "\"s\"", "\"\"\"t\"\"\"", "...",      "on", "@d",
      "$v", "[", "]", "!", "=", " ", ",", "\n", "query", "Q",     "#c\n",          "fragment", "F"};
  const auto picks = *rc::gen::container<std::vector<int>>(rc::gen::inRange<int>(0, static_cast<int>(kPieces.size())));
  std::string soup = "{a";
  for (const int pick : picks) soup += " " + kPieces[static_cast<std::size_t>(pick)];
  soup += "}";
  const auto once = read_graphql_document(soup);
  if (!once) {
    RC_ASSERT(once.error().code == ErrorCode::kInvalidArgument);
    return;
  }
  const auto twice = read_graphql_document(once->text);
  RC_ASSERT(twice.has_value());
  RC_ASSERT(twice->text == once->text);
}

std::string random_value(int depth) {
  const int kind = *rc::gen::inRange(0, depth > 3 ? 5 : 7);
  if (kind == 0) return std::to_string(*rc::gen::arbitrary<int>());
  if (kind == 1) return "\"x\"";
  if (kind == 2) return "\"\"";
  if (kind == 3) return "ENUM";
  if (kind == 4) return "-0.5e3";
  std::string text = kind == 5 ? "[ " : "{ ";
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) text += (kind == 5 ? "" : "m : ") + random_value(depth + 1) + " , ";
  return text + (kind == 5 ? "]" : "}");
}

RC_GTEST_PROP(GraphqlDocument, EveryValueOfTheGrammarPassesAndKeepsItsTokens, ()) {
  const std::string document = "{ a ( b : " + random_value(0) + " ) # end\n }";
  const auto tokens = [](std::string_view text) {
    std::vector<std::string> list;
    GraphqlLexer lexer(text);
    for (auto token = lexer.next(); token && token->kind != GraphqlTokenKind::kEnd; token = lexer.next()) {
      list.emplace_back(token->text);
    }
    return list;
  };
  const auto read = read_graphql_document(document);
  RC_ASSERT(read.has_value());
  RC_ASSERT(tokens(read->text) == tokens(document));
  RC_ASSERT(read->text.size() <= document.size());
}

}  // namespace
}  // namespace hyperscale::plan

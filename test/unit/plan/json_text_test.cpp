#include "plan/arguments/json_text.h"

#include "plan/arguments/json_value.h"
#include "plan/arguments/text_position.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string compact(std::string_view text) {
  const auto read = read_json_text(text);
  return read ? read->compact : read.error().context;
}

TEST(JsonText, LosesItsBlanksAndNothingElse) {
  EXPECT_EQ(
      compact(" { \"a b\" : [ 1 , -0.50e+07, true ,false,null , \"x\\u00e4\\n \" ] , \"c\" : { } , \"d\":[ ] } \n"),
      "{\"a b\":[1,-0.50e+07,true,false,null,\"x\\u00e4\\n \"],\"c\":{},\"d\":[]}");
  EXPECT_EQ(compact("123456789012345678901234567890"), "123456789012345678901234567890");
  EXPECT_EQ(compact("0"), "0");
  EXPECT_EQ(compact("-0"), "-0");
  EXPECT_EQ(compact("\"\xc3\xa4\""), "\"\xc3\xa4\"");
}

TEST(JsonText, NamesOfTheOutermostObject) {
  const auto read = read_json_text("{\"a\":{\"b\":1},\"c\":[{\"d\":1}]}");
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->is_object);
  EXPECT_THAT(read->members, ElementsAre("a", "c"));
  EXPECT_FALSE(read_json_text("[]")->is_object);
  EXPECT_FALSE(read_json_text("\"{\"")->is_object);
}

TEST(JsonText, TellsWhereItIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "JSON 1:1: a value is missing at the end"},
      {"{", "a name in double quotes"},
      {"{a:1}", "1:2: a name in double quotes"},
      {"{\"a\" 1}", "1:6: a colon"},
      {"{\"a\":1,}", "1:8: a name"},
      {"[1,]", "1:4: a value is missing"},
      {"[1 2]", "a comma or ']' is missing"},
      {"{\"a\":1]", "a comma or '}' is missing"},
      {"[1", "a comma or ']' is missing"},
      {"1 2", "1:3: something after the end"},
      {"01", "a zero too many"},
      {"-", "a digit is missing"},
      {"1.", "a digit is missing"},
      {"1e+", "a digit is missing"},
      {"+1", "a value is missing here"},
      {"'a'", "a value is missing here"},
      {"nul", "a value is missing here"},
      {"NaN", "a value is missing here"},
      {"truex", "something after the end"},
      {"\"a", "a text has no end"},
      {"\"\\x\"", "an unknown escape"},
      {"\"\\", "an unknown escape"},
      {"\"\\u12\"", "four hexadecimal digits"},
      {"\"a\nb\"", "a control character"},
      {"[\n1,\n  x]", "JSON 3:3"},
      {"\"\xff\"", "not UTF-8"},
  };
  for (const auto& [text, error] : cases) EXPECT_THAT(compact(text), HasSubstr(error)) << text;
}

TEST(JsonText, DepthIsBounded) {
  EXPECT_TRUE(read_json_text(std::string(kJsonDepthMax, '[') + std::string(kJsonDepthMax, ']')));
  EXPECT_THAT(compact(std::string(100'000, '[')), HasSubstr("more than 64 levels"));
}

JsonValue random_json(int depth) {
  const int kind = *rc::gen::inRange(0, depth > 3 ? 5 : 7);
  if (kind == 0) return {nullptr};
  if (kind == 1) return {*rc::gen::arbitrary<bool>()};
  if (kind == 2) return {*rc::gen::arbitrary<std::int64_t>()};
  if (kind == 3) return {*rc::gen::arbitrary<int>() / 16.0};
  const auto text = [] { return *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127)); };
  if (kind == 4) return {text()};
  const int count = *rc::gen::inRange(0, 4);
  JsonArray items;
  JsonObject members;
  for (int i = 0; i < count; ++i) {
    if (kind == 5) items.push_back(random_json(depth + 1));
    if (kind == 6) members.emplace_back(text(), random_json(depth + 1));
  }
  if (kind == 5) return {items};
  return {members};
}

RC_GTEST_PROP(JsonText, CompactTextOfAValueIsReadAsItIs, ()) {
  const auto written = compact_json(random_json(0));
  RC_ASSERT(written.has_value());
  RC_ASSERT(compact(*written) == *written);
}

TEST(TextPosition, CountsLinesAndCharacters) {
  EXPECT_EQ(position_text("", 0), "1:1");
  EXPECT_EQ(position_text("a\nb\r\nc\rd", 7), "4:1");
  EXPECT_EQ(position_text("a\r\nb", 3), "2:1");
  EXPECT_EQ(position_text("\xc3\xa4x", 3), "1:3");
  EXPECT_EQ(position_text("ab", 99), "1:3");
}

}  // namespace
}  // namespace hyperscale::plan

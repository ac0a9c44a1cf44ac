#include "base/json_writer.h"

#include <limits>

#include <gtest/gtest.h>

namespace hyperscale {
namespace {

std::string text_of(std::string_view text) {
  JsonWriter json;
  json.value(text);
  return json.take();
}

TEST(JsonWriter, LinesAndInlineParts) {
  JsonWriter json;
  json.begin_object();
  json.field("a", std::uint64_t{1});
  json.key("b");
  json.begin_array(JsonWriter::Layout::kInline);
  json.begin_array();
  json.value(true);
  json.null();
  json.end_array();
  json.value("x");
  json.end_array();
  json.key("c");
  json.begin_object();
  json.end_object();
  json.end_object();
  EXPECT_EQ(json.take(), "{\n  \"a\": 1,\n  \"b\": [[true, null], \"x\"],\n  \"c\": {}\n}\n");
}

TEST(JsonWriter, CompactPartsHaveNoBlanks) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kCompact);
  json.field("a", std::int64_t{-1});
  json.key("b");
  json.begin_array(JsonWriter::Layout::kInline);
  json.fixed(0.5, 3);
  json.begin_object();
  json.field("c", true);
  json.end_object();
  json.end_array();
  json.end_object();
  EXPECT_EQ(json.take_text(), R"({"a":-1,"b":[0.500,{"c":true}]})");
}

TEST(JsonWriter, TextIsEscapedAndValidUtf8) {
  EXPECT_EQ(text_of("a\"b\\c\n\x01"), "\"a\\\"b\\\\c\\n\\u0001\"\n");
  EXPECT_EQ(text_of("\xff"), "\"\xef\xbf\xbd\"\n");
}

TEST(JsonWriter, Numbers) {
  const auto text = [](double number) {
    JsonWriter json;
    json.value(number);
    return json.take();
  };
  EXPECT_EQ(text(0.1 + 0.2), "0.3\n");
  EXPECT_EQ(text(std::numeric_limits<double>::infinity()), "null\n");
  JsonWriter json;
  json.begin_array(JsonWriter::Layout::kInline);
  json.milliseconds(1'234'567ns);
  json.milliseconds(2s);
  json.milliseconds(0s);
  json.seconds(1500ms);
  json.end_array();
  EXPECT_EQ(json.take(), "[1.234567, 2000, 0, 1.5]\n");
}

}  // namespace
}  // namespace hyperscale

#include "runtime/log/log_line.h"

#include <vector>

#include <gtest/gtest.h>
#include <simdjson.h>

namespace hyperscale::runtime {
namespace {

constexpr WallTime kTime = WallTime::from_ns(1'700'000'000'042'000'000);

LogRecord record(std::string_view message, std::span<const LogField> fields = {}) {
  return {.time = kTime, .level = LogLevel::kWarn, .component = "bus", .message = message, .fields = fields};
}

TEST(LogLine, TextIsReadable) {
  const std::vector<LogField> fields{{"service", "index"}, {"missed", 12},  {"why", "too slow"},
                                     {"ratio", 0.5},       {"again", true}, {"empty", ""}};
  EXPECT_EQ(text_line(record("receiver lags", fields), false),
            "2023-11-14T22:13:20.042Z warn  bus: receiver lags service=index missed=12 why=\"too slow\" ratio=0.5 "
            "again=true empty=\"\"");
}

TEST(LogLine, ColoursOnlyWhenAskedFor) {
  EXPECT_EQ(text_line(record("x"), false).find('\x1b'), std::string::npos);
  EXPECT_NE(text_line(record("x"), true).find("\x1b[33m warn "), std::string::npos);
}

TEST(LogLine, JsonKeepsTypes) {
  const std::vector<LogField> fields{{"service", "a \"b\"\\"},
                                     {"missed", std::uint64_t{1} << 63},
                                     {"below", -3},
                                     {"ratio", 0.25},
                                     {"nan", std::nan("")},
                                     {"again", false}};
  EXPECT_EQ(json_line(record("receiver lags", fields)),
            R"({"ts":"2023-11-14T22:13:20.042Z","level":"warn","component":"bus","msg":"receiver lags",)"
            R"("service":"a \"b\"\\","missed":9223372036854775808,"below":-3,"ratio":0.25,"nan":null,"again":false})");
}

TEST(LogLine, MessageCannotForgeALineOrMoveTheCursor) {
  const std::string hostile =
      "one\n2023 error admin: two\r\t\x1b[2J\x7f\xC2\x9B"
      "31m\xE2\x80\xA8\xE2\x80\xAE end";
  EXPECT_EQ(text_line(record(hostile), false),
            "2023-11-14T22:13:20.042Z warn  bus: one\\n2023 error admin: two\\r\\t\\x1b[2J\\x7f\\u009b31m"
            "\\u2028\\u202e end");
  const std::vector<LogField> fields{{"k\n", "v\nw"}};
  EXPECT_EQ(text_line(record("", fields), false).find('\n'), std::string::npos);
  EXPECT_EQ(json_line(record(hostile, fields)).find_first_of("\n\r\t\x1b"), std::string::npos);
}

TEST(LogLine, TextOfOtherLanguagesStaysReadable) {
  EXPECT_NE(text_line(record("Größe 大小 😀"), false).find("Größe 大小 😀"), std::string::npos);
}

TEST(LogLine, BrokenUtf8IsEscaped) {
  EXPECT_NE(text_line(record("a\xFF"
                             "b\xC3(\xED\xA0\x80\xF0\x9F\x98"),
                      false)
                .find("a\\xffb\\xc3(\\xed\\xa0\\x80\\xf0\\x9f\\x98"),
            std::string::npos);
}

TEST(LogLine, EveryByteGivesValidJson) {
  simdjson::dom::parser parser;
  for (int first = 0; first < 256; ++first) {
    for (const int second : {0, 0x22, 0x5C, 0x80, 0x9F, 0xA0, 0xBF, 0xFF}) {
      const std::string message{static_cast<char>(first), static_cast<char>(second), 'x'};
      const std::string line = json_line(record(message));
      simdjson::dom::element parsed;
      ASSERT_EQ(parser.parse(line).get(parsed), simdjson::SUCCESS) << line;
      ASSERT_EQ(std::string_view(parsed["level"]), "warn");
      ASSERT_TRUE(std::string_view(parsed["msg"]).ends_with("x"));
    }
  }
}

TEST(LogLine, LongTextsAreCut) {
  const std::string text(100'000, 'm');
  const std::vector<LogField> fields{{"f", text}};
  const std::string line = text_line(record(text, fields), false);
  EXPECT_LT(line.size(), kLogMessageBytesMax + kLogFieldBytesMax + 100);
  EXPECT_TRUE(line.ends_with("mmm..."));
}

TEST(LogLine, NamesOfLevelsAndFormatsRoundTrip) {
  for (const char* text : {"trace", "debug", "info", "warn", "error"}) {
    const auto level = parse_log_level(text);
    ASSERT_TRUE(level);
    EXPECT_EQ(name(*level), text);
  }
  EXPECT_EQ(parse_log_level("Info").error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(*parse_log_format("json"), LogFormat::kJson);
  EXPECT_EQ(*parse_log_format("text"), LogFormat::kText);
  EXPECT_FALSE(parse_log_format("xml"));
}

}  // namespace
}  // namespace hyperscale::runtime

#include "base/duration_text.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale {
namespace {

using testing::HasSubstr;

TEST(DurationText, ParsesEveryUnitAndSumsThem) {
  const std::pair<const char*, Duration> cases[] = {
      {"250ms", 250ms}, {"5s", 5s},         {"1m30s", 90s}, {"2h", 2h},
      {"100us", 100us}, {"0s", 0s},         {"7ns", 7ns},   {"1h2m3s4ms5us6ns", 1h + 2min + 3s + 4ms + 5us + 6ns},
      {"90m", 90min},   {"1500ms", 1500ms}, {"007s", 7s},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(parse_duration(text), expected) << text;
}

TEST(DurationText, BareNumberSaysToAddAUnit) {
  const auto parsed = parse_duration("30");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(parsed.error().context, HasSubstr("add a unit, such as 30s or 30ms"));
}

TEST(DurationText, RejectsWhatIsNotADuration) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "empty"},
      {"s", "number was expected"},
      {"-5s", "number was expected"},
      {" 5s", "number was expected"},
      {"5 s", "not a unit"},
      {"5x", "\"x\" is not a unit"},
      {"1.5s", "smaller unit"},
      {"30s1m", "large to small"},
      {"1s1s", "appears once"},
      {"1m30", "add a unit, such as 30s"},
  };
  for (const auto& [text, why] : cases) {
    const auto parsed = parse_duration(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_THAT(parsed.error().context, HasSubstr(why));
  }
}

TEST(DurationText, RejectsWhatDoesNotFit) {
  EXPECT_EQ(parse_duration("9223372036854775807ns"), Duration::max());
  EXPECT_FALSE(parse_duration("9223372036854775808ns"));
  EXPECT_FALSE(parse_duration("99999999999999999999s"));
  EXPECT_FALSE(parse_duration("2562048h"));
  EXPECT_FALSE(parse_duration("2562047h48m"));
}

TEST(DurationText, FormatsShortAndExact) {
  const std::pair<Duration, const char*> cases[] = {
      {90s, "1m30s"},     {250ms, "250ms"},    {0s, "0s"},          {1h, "1h"},
      {1500us, "1500us"}, {1s + 1ns, "1s1ns"}, {1h + 1ms, "1h1ms"}, {-90s, "-1m30s"},
  };
  for (const auto& [duration, text] : cases) EXPECT_EQ(format_duration(duration), text);
  EXPECT_EQ(format_duration(Duration::min()), "-2562047h47m16s854775808ns");
}

RC_GTEST_PROP(DurationText, FormattedTextParsesBack, ()) {
  const auto ns = *rc::gen::suchThat<std::int64_t>([](std::int64_t n) { return n >= 0; });
  const auto scale = *rc::gen::element<std::int64_t>(1, 1'000, 1'000'000, 1'000'000'000);
  const Duration duration(ns / scale * scale);
  RC_ASSERT(parse_duration(format_duration(duration)).value() == duration);
}

RC_GTEST_PROP(DurationText, AnyTextIsAnsweredWithoutCrash, (const std::string& text)) {
  const auto parsed = parse_duration(text);
  RC_ASSERT((parsed.has_value() || parsed.error().code == ErrorCode::kInvalidArgument));
}

}  // namespace
}  // namespace hyperscale

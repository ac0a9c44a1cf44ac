#include "base/size_text.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale {
namespace {

using testing::HasSubstr;

TEST(SizeText, ParsesBinaryAndDecimalUnits) {
  const std::pair<const char*, std::uint64_t> cases[] = {
      {"512", 512},
      {"512B", 512},
      {"0", 0},
      {"64KiB", 65'536},
      {"4MiB", 4'194'304},
      {"1GiB", 1ULL << 30},
      {"10MB", 10'000'000},
      {"3kB", 3'000},
      {"3KB", 3'000},
      {"2GB", 2'000'000'000},
      {"1TiB", 1ULL << 40},
      {"16383PiB", 16'383ULL << 50},
      {"18446744073709551615", UINT64_MAX},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(parse_size(text), expected) << text;
}

TEST(SizeText, RejectsWithTheFix) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "whole number was expected"},
      {"KiB", "whole number was expected"},
      {"-1", "whole number was expected"},
      {"1.5MiB", "smaller unit"},
      {"4M", "\"M\" is not a unit"},
      {"4 MiB", "not a unit"},
      {"18446744073709551616", "too large"},
      {"16384PiB", "too large"},
      {"4MiB1", "not a unit"},
  };
  for (const auto& [text, why] : cases) {
    const auto parsed = parse_size(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(parsed.error().context, HasSubstr(why));
  }
}

TEST(SizeText, FormatsInTheLargestExactUnit) {
  const std::pair<std::uint64_t, const char*> cases[] = {
      {0, "0"},
      {512, "512"},
      {1024, "1KiB"},
      {1536, "1536"},
      {65'536, "64KiB"},
      {1ULL << 20, "1MiB"},
      {10'000'000, "10MB"},
      {1'000'001, "1000001"},
      {1'024'000, "1000KiB"},
  };
  for (const auto& [size, text] : cases) EXPECT_EQ(format_size(size), text);
}

RC_GTEST_PROP(SizeText, FormattedTextParsesBack, (std::uint64_t size)) {
  const auto scale = *rc::gen::element<std::uint64_t>(1, 1'000, 1'024, 1'000'000, 1ULL << 20, 1ULL << 40);
  RC_ASSERT(parse_size(format_size(size / scale * scale)).value() == size / scale * scale);
}

}  // namespace
}  // namespace hyperscale

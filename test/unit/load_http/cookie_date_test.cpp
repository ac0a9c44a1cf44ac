#include "load/protocols/http/cookie_date.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

std::int64_t seconds_of(std::string_view text) {
  const auto date = parse_cookie_date(text);
  return date ? date->ns() / 1'000'000'000 : -1;
}

TEST(CookieDate, AllFormsThatServersWrite) {
  for (const std::string_view text :
       {"Fri, 07 Aug 2009 08:04:19 GMT", "Friday, 07-Aug-09 08:04:19 GMT", "Fri Aug  7 08:04:19 2009",
        "Fri, 07-Aug-2009 08:04:19 GMT", "7 august 2009 8:4:19", "2009 aug 7 08:04:19", "(Fri) 07/Aug/2009;08:04:19"})
    EXPECT_EQ(seconds_of(text), 1249632259) << text;
}

TEST(CookieDate, YearsOfTwoDigits) {
  EXPECT_EQ(seconds_of("01 Jan 70 00:00:00"), 0);
  EXPECT_EQ(seconds_of("01 Jan 69 00:00:00"), 3124224000);
}

TEST(CookieDate, NoSuchMoment) {
  for (const std::string_view text :
       {"", "Fri, 07 Aug 2009", "08:04:19 07 Aug", "07 Aux 2009 08:04:19", "32 Aug 2009 08:04:19",
        "30 Feb 2009 08:04:19", "07 Aug 2009 24:00:00", "07 Aug 2009 08:60:19", "07 Aug 2009 08:04:60",
        "07 Aug 1600 08:04:19", "07 Aug 20091 08:04:19", "07 Aug 2009 08:04"})
    EXPECT_FALSE(parse_cookie_date(text)) << text;
}

TEST(CookieDate, FarDatesAreTheEndsOfTime) {
  EXPECT_EQ(parse_cookie_date("31 Dec 9999 23:59:59"), WallTime::max());
  EXPECT_LT(parse_cookie_date("01 Jan 1601 00:00:00")->ns(), 0);
}

}  // namespace
}  // namespace hyperscale::load

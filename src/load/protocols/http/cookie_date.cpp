#include "load/protocols/http/cookie_date.h"

#include "plan/ascii.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace hyperscale::load {
namespace {

using plan::is_digit;

constexpr int kYearMin = 1601;
constexpr int kYearOfWallTimeMin = 1678;
constexpr int kYearOfWallTimeMax = 2261;
constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};

constexpr bool is_delimiter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x09 || (byte >= 0x20 && byte <= 0x2f) || (byte >= 0x3b && byte <= 0x40) ||
         (byte >= 0x5b && byte <= 0x60) || (byte >= 0x7b && byte <= 0x7e);
}

// Removes `least` to `most` digits from the front of `text`; a digit after them is not part of the number.
std::optional<int> take_number(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t digits = 0;
  int number = 0;
  while (digits < text.size() && is_digit(text[digits])) {
    if (digits == most) return std::nullopt;
    number = number * 10 + (text[digits] - '0');
    ++digits;
  }
  if (digits < least) return std::nullopt;
  text.remove_prefix(digits);
  return number;
}

struct CookieDate {
  std::optional<std::array<int, 3>> time;
  std::optional<int> day, month, year;

  bool take_time(std::string_view token) {
    std::array<int, 3> parts{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) {
        if (!token.starts_with(':')) return false;
        token.remove_prefix(1);
      }
      const auto part = take_number(token, 1, 2);
      if (!part) return false;
      parts[i] = *part;
    }
    time = parts;
    return true;
  }

  bool take_month(std::string_view token) {
    for (std::size_t i = 0; i < kMonths.size(); ++i) {
      if (plan::lower_case(token.substr(0, 3)) != kMonths[i]) continue;
      month = static_cast<int>(i) + 1;
      return true;
    }
    return false;
  }

  // A token is parsed as the first missing part that it matches.
  void take(std::string_view token) {
    if (!time && take_time(token)) return;
    std::string_view rest = token;
    if (!day) {
      day = take_number(rest, 1, 2);
      if (day) return;
    }
    if (!month && take_month(token)) return;
    if (!year) year = take_number(token, 2, 4);
  }
};

}  // namespace

std::optional<WallTime> parse_cookie_date(std::string_view text) {
  CookieDate date;
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size() && !is_delimiter(text[end])) ++end;
    if (end > 0) date.take(text.substr(0, end));
    text.remove_prefix(end == text.size() ? end : end + 1);
  }
  if (!date.time || !date.day || !date.month || !date.year) return std::nullopt;
  int year = *date.year;
  if (year >= 70 && year <= 99) year += 1900;
  if (year >= 0 && year <= 69) year += 2000;
  const auto [hour, minute, second] = *date.time;
  if (year < kYearMin || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const std::chrono::year_month_day day{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(*date.month)),
                                        std::chrono::day(static_cast<unsigned>(*date.day))};
  if (!day.ok()) return std::nullopt;
  if (year < kYearOfWallTimeMin) return WallTime::from_ns(INT64_MIN);
  if (year > kYearOfWallTimeMax) return WallTime::max();
  const auto since_1970 = std::chrono::sys_days(day).time_since_epoch() + std::chrono::hours(hour) +
                          std::chrono::minutes(minute) + std::chrono::seconds(second);
  return WallTime() + since_1970;
}

}  // namespace hyperscale::load

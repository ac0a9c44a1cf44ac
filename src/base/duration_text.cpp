#include "base/duration_text.h"

#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace hyperscale {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t ns;
};

// Largest first: parsing demands this order and formatting walks it.
constexpr std::array kUnits{Unit{"h", 3'600'000'000'000}, Unit{"m", 60'000'000'000}, Unit{"s", 1'000'000'000},
                            Unit{"ms", 1'000'000},        Unit{"us", 1'000},         Unit{"ns", 1}};
constexpr std::uint64_t kNsMax = INT64_MAX;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

tl::unexpected<Error> bad(std::string_view text, std::string_view why) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("\"{}\" is not a duration: {}", text, why));
}

std::size_t unit_index(std::string_view name) {
  std::size_t index = 0;
  while (index < kUnits.size() && kUnits[index].name != name) ++index;
  return index;
}

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
  if (text.empty()) return bad(text, "it is empty, write for example 250ms or 1m30s");
  std::uint64_t total_ns = 0;
  std::size_t next_unit = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t number_at = at;
    std::uint64_t number = 0;
    for (; at < text.size() && is_digit(text[at]); ++at) {
      const auto digit = static_cast<std::uint64_t>(text[at] - '0');
      if (number > (kNsMax - digit) / 10) return bad(text, "it is too long, the most is 292 years");
      number = number * 10 + digit;
    }
    const std::string_view digits = text.substr(number_at, at - number_at);
    if (digits.empty()) return bad(text, "a number was expected, write for example 250ms or 1m30s");
    const std::size_t unit_at = at;
    while (at < text.size() && !is_digit(text[at])) ++at;
    const std::string_view unit = text.substr(unit_at, at - unit_at);
    if (unit.empty()) return bad(text, fmt::format("add a unit, such as {0}s or {0}ms", digits));
    if (unit == ".") return bad(text, "fractions are written in a smaller unit, such as 1500ms for 1.5s");
    const std::size_t index = unit_index(unit);
    if (index == kUnits.size()) return bad(text, fmt::format("\"{}\" is not a unit, use h, m, s, ms, us or ns", unit));
    if (index < next_unit) return bad(text, "units go from large to small and each appears once, as in 1h30m");
    next_unit = index + 1;
    if (number > (kNsMax - total_ns) / kUnits[index].ns) return bad(text, "it is too long, the most is 292 years");
    total_ns += number * kUnits[index].ns;
  }
  return Duration(static_cast<std::int64_t>(total_ns));
}

std::string format_duration(Duration duration) {
  if (duration == Duration::zero()) return "0s";
  const std::int64_t signed_ns = duration.count();
  std::string text = signed_ns < 0 ? "-" : "";
  // Negating in the unsigned type is defined even for the smallest value.
  std::uint64_t rest_ns =
      signed_ns < 0 ? 0 - static_cast<std::uint64_t>(signed_ns) : static_cast<std::uint64_t>(signed_ns);
  // Below a second one number in the smallest needed unit is shorter than several: 1500us, not 1ms500us.
  const auto split = [&](std::uint64_t ns, std::string_view unit) {
    if (rest_ns < ns) return;
    text += fmt::format("{}{}", rest_ns / ns, unit);
    rest_ns %= ns;
  };
  for (std::size_t i = 0; i < 3; ++i) split(kUnits[i].ns, kUnits[i].name);
  for (std::size_t i = 3; i < kUnits.size(); ++i) {
    if (rest_ns != 0 && rest_ns % kUnits[i].ns == 0) split(kUnits[i].ns, kUnits[i].name);
  }
  return text;
}

}  // namespace hyperscale

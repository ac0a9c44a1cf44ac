#include "plan/option_values.h"

#include "base/duration_text.h"
#include "base/terminal_text.h"
#include "plan/limits.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

constexpr std::size_t kShownCellsMax = 80;

bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string range_text(std::uint64_t min, std::uint64_t max) {
  return max == UINT64_MAX ? fmt::format("from {} on", min) : fmt::format("from {} to {}", min, max);
}

}  // namespace

tl::unexpected<Error> wrong_option(std::string_view option, std::string_view sentence) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", option, sentence));
}

std::string shown(std::string_view text) {
  const std::string safe = visible(text, Glyphs::kUnicode);
  return fmt::format("\"{}\"", cut(safe, kShownCellsMax, Glyphs::kUnicode));
}

Result<std::uint64_t> read_count(std::string_view option, std::string_view text, std::uint64_t min, std::uint64_t max) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!is_digits(text)) {
    return wrong_option(option, fmt::format("{} is not a whole number {}", shown(text), range_text(min, max)));
  }
  if (error != std::errc() || value < min || value > max) {
    return wrong_option(option, fmt::format("{} is out of range; give a number {}", shown(text), range_text(min, max)));
  }
  return value;
}

Result<Duration> read_duration(std::string_view option, std::string_view text) {
  const auto duration = parse_duration(is_digits(text) ? std::string(text) + "s" : std::string(text));
  if (!duration) return wrong_option(option, duration.error().context);
  if (*duration > kPlanDurationMax) {
    return wrong_option(
        option, fmt::format("{} is too long; the longest is {}", shown(text), format_duration(kPlanDurationMax)));
  }
  return *duration;
}

Result<double> read_rate(std::string_view option, std::string_view text, bool zero_allowed) {
  const auto refused = [&](std::string_view why) {
    return wrong_option(option, fmt::format("{} {}; write 2000, 2000/s or 90/m", shown(text), why));
  };
  const std::size_t slash = text.find('/');
  const std::string_view number = text.substr(0, slash);
  const std::string_view unit = slash == std::string_view::npos ? "/s" : text.substr(slash);
  double value = 0;
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), value, std::chars_format::fixed);
  if (number.empty() || error != std::errc() || end != number.data() + number.size() || !std::isfinite(value)) {
    return refused("is not a rate");
  }
  if (unit == "/m") {
    value /= 60;
  } else if (unit == "/h") {
    value /= 3600;
  } else if (unit != "/s") {
    return refused("has an unknown unit");
  }
  if (value < 0 || (value == 0 && !zero_allowed)) return refused("is not above zero");
  if (value > kRateMax) return refused(fmt::format("is above {:.0f}/s", kRateMax));
  return value;
}

Result<NameAndValue> read_pair(std::string_view option, std::string_view text, char separator,
                               std::string_view example) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos || at == 0) {
    return wrong_option(option, fmt::format("{} is not of the form {}", shown(text), example));
  }
  return NameAndValue{std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

}  // namespace hyperscale::plan

#include "base/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace hyperscale {
namespace {

struct NumberUnit {
  double size;
  std::string_view name;
};

constexpr std::array kLatencyUnits{NumberUnit{1, "ns"}, NumberUnit{1e3, "µs"}, NumberUnit{1e6, "ms"},
                                   NumberUnit{1e9, "s"}};
constexpr std::array kAsciiLatencyUnits{NumberUnit{1, "ns"}, NumberUnit{1e3, "us"}, NumberUnit{1e6, "ms"},
                                        NumberUnit{1e9, "s"}};
constexpr std::array kByteUnits{NumberUnit{1, " B"},    NumberUnit{1e3, " kB"},  NumberUnit{1e6, " MB"},
                                NumberUnit{1e9, " GB"}, NumberUnit{1e12, " TB"}, NumberUnit{1e15, " PB"},
                                NumberUnit{1e18, " EB"}};

// From here on three digits of seconds are no longer enough.
constexpr Duration kLatencySecondsMax = 1000s;

// The largest unit in which the rounded number is still below 1000: 999.6 µs is 1.00 ms, not 1000 µs.
std::string with_unit(double value, std::span<const NumberUnit> units) {
  std::size_t unit = 0;
  while (unit + 1 < units.size() && value / units[unit].size >= 999.5) ++unit;
  return (unit == 0 ? fmt::format("{:.0f}", value) : three_digits(value / units[unit].size)) +
         std::string(units[unit].name);
}

std::string clock_text(Duration elapsed) {
  const std::int64_t seconds = std::chrono::round<std::chrono::seconds>(elapsed).count();
  if (seconds < 3600) return fmt::format("{}m{:02}s", seconds / 60, seconds % 60);
  return fmt::format("{}h{:02}m{:02}s", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace

std::string three_digits(double value) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  const double magnitude = std::floor(std::log10(std::abs(value)));
  int decimals = std::max(0, 2 - static_cast<int>(magnitude));
  // 9.996 has two decimals by its magnitude and rounds to 10.00, which has one digit too many.
  if (decimals > 0 && std::abs(value) * std::pow(10, decimals) >= 999.5) --decimals;
  if (std::abs(value) >= 999.5 && value > 0) return count_text(static_cast<std::uint64_t>(std::llround(value)));
  return fmt::format("{:.{}f}", value, decimals);
}

std::string latency_text(Duration latency, Glyphs glyphs) {
  if (latency <= Duration::zero()) return "0s";
  if (latency >= kLatencySecondsMax) return clock_text(latency);
  const auto ns = static_cast<double>(latency.count());
  return glyphs == Glyphs::kAscii ? with_unit(ns, kAsciiLatencyUnits) : with_unit(ns, kLatencyUnits);
}

std::string short_latency_text(Duration latency, Glyphs glyphs) {
  std::string text = latency_text(latency, glyphs);
  const std::size_t point = text.find('.');
  if (point == std::string::npos) return text;
  const std::size_t unit = text.find_first_not_of("0123456789", point + 1);
  std::size_t digits = text.find_last_not_of('0', unit - 1);
  if (digits != point) ++digits;
  return text.erase(digits, unit - digits);
}

std::string elapsed_text(Duration elapsed, Glyphs glyphs) {
  // 59.96 s has three digits of its own: 60.0 s.
  return elapsed < 60s ? latency_text(elapsed, glyphs) : clock_text(elapsed);
}

std::string count_text(std::uint64_t count) {
  std::string text = fmt::format("{}", count);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string rate_text(double per_second) {
  if (!std::isfinite(per_second)) return "-";
  return three_digits(std::max(0.0, per_second)) + "/s";
}

std::string bytes_text(std::uint64_t bytes) {
  return with_unit(static_cast<double>(bytes), kByteUnits);
}

std::string bytes_per_second_text(double per_second) {
  if (!std::isfinite(per_second)) return "-";
  return with_unit(std::max(0.0, per_second), kByteUnits) + "/s";
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  if (part == 0) return "0%";
  if (part >= whole) return "100%";
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (percent < 0.01) return "<0.01%";
  if (percent >= 99.95) return ">99.9%";
  return percent < 1 ? fmt::format("{:.2f}%", percent) : three_digits(percent) + "%";
}

}  // namespace hyperscale

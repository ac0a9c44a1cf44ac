#include "base/size_text.h"

#include <array>

#include <fmt/format.h>

namespace hyperscale {
namespace {

struct SizeUnit {
  std::string_view name;
  std::uint64_t bytes;
};

// Formatting takes the first that divides exactly, so the order is part of the contract.
constexpr std::array kUnits{SizeUnit{"PiB", 1ULL << 50},
                            SizeUnit{"TiB", 1ULL << 40},
                            SizeUnit{"GiB", 1ULL << 30},
                            SizeUnit{"MiB", 1ULL << 20},
                            SizeUnit{"KiB", 1ULL << 10},
                            SizeUnit{"PB", 1'000'000'000'000'000},
                            SizeUnit{"TB", 1'000'000'000'000},
                            SizeUnit{"GB", 1'000'000'000},
                            SizeUnit{"MB", 1'000'000},
                            SizeUnit{"kB", 1'000},
                            SizeUnit{"KB", 1'000},
                            SizeUnit{"B", 1}};

tl::unexpected<Error> bad(std::string_view text, std::string_view why) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("\"{}\" is not a size: {}", text, why));
}

const SizeUnit* find_unit(std::string_view name) {
  if (name.empty()) return &kUnits.back();
  for (const SizeUnit& unit : kUnits) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
  std::size_t at = 0;
  std::uint64_t number = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    const auto digit = static_cast<std::uint64_t>(text[at] - '0');
    if (number > (UINT64_MAX - digit) / 10) return bad(text, "it is too large, the most is below 16384PiB");
    number = number * 10 + digit;
  }
  if (at == 0) return bad(text, "a whole number was expected, write for example 512, 64KiB or 10MB");
  const std::string_view unit_name = text.substr(at);
  if (unit_name.starts_with('.'))
    return bad(text, "fractions are written in a smaller unit, such as 1536KiB for 1.5MiB");
  const SizeUnit* unit = find_unit(unit_name);
  if (unit == nullptr) {
    return bad(text, fmt::format("\"{}\" is not a unit, use KiB, MiB, GiB (1024) or kB, MB, GB (1000)", unit_name));
  }
  if (number > UINT64_MAX / unit->bytes) return bad(text, "it is too large, the most is below 16384PiB");
  return number * unit->bytes;
}

std::string format_size(std::uint64_t size_bytes) {
  if (size_bytes == 0) return "0";
  for (const SizeUnit& unit : kUnits) {
    if (unit.bytes > 1 && size_bytes % unit.bytes == 0) return fmt::format("{}{}", size_bytes / unit.bytes, unit.name);
  }
  return fmt::format("{}", size_bytes);
}

}  // namespace hyperscale

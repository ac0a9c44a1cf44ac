#include "plan/priority.h"

#include "base/check.h"
#include "base/nearest_match.h"
#include "plan/ascii.h"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"low", "auto", "normal", "high", "exclusive"};

// Rounded up, without floating point: a quarter of 24 is 6 and not 7.
std::uint32_t quarters(std::uint32_t pool, std::uint64_t count) {
  return static_cast<std::uint32_t>((pool * count + 3) / 4);
}

}  // namespace

std::string_view name(Priority priority) {
  return kNames[static_cast<std::size_t>(priority)];
}

Result<Priority> parse_priority(std::string_view text) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (lower_case(text) == kNames[i]) return static_cast<Priority>(i);
  std::string message = fmt::format("priority \"{}\" is not one of low, normal, high, exclusive, auto", text);
  const std::vector<std::string> names(kNames.begin(), kNames.end());
  if (const auto near = nearest_match(text, names)) message += fmt::format("; did you mean \"{}\"?", *near);
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

ThreadRange threads_of(Priority priority, std::uint32_t pool) {
  CHECK(pool > 0, "threads are asked for from an empty pool");
  switch (priority) {
    case Priority::kLow:
      return {1, quarters(pool, 1)};
    case Priority::kNormal:
      return {quarters(pool, 1), quarters(pool, 3)};
    case Priority::kHigh:
      return {quarters(pool, 3), pool};
    case Priority::kExclusive:
      return {pool, pool};
    case Priority::kAuto:
      return {1, pool};
  }
  UNREACHABLE("a priority that does not exist");
}

}  // namespace hyperscale::plan

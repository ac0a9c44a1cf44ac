#include "node/control/run_id.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

constexpr std::size_t kHexDigits = 8;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::string make_run_id(WallTime now) {
  return fmt::format("{}-{:08x}", now.ms(), std::random_device()());
}

std::uint32_t make_seed() {
  return std::random_device()();
}

bool is_run_id(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos || dash == 0 || text.size() != dash + 1 + kHexDigits) return false;
  return std::ranges::all_of(text.substr(0, dash), is_digit) &&
         std::ranges::all_of(text.substr(dash + 1), [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

}  // namespace hyperscale::node

#include "sim/run/sim_options.h"

#include "base/append_format.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace hyperscale::sim {
namespace {

template <typename Number>
std::optional<Number> parse_whole(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

}  // namespace

Result<SeedRange> parse_seeds(std::string_view text) {
  const std::size_t dots = text.find("..");
  const auto first = parse_whole<std::uint64_t>(text.substr(0, dots));
  const auto last = dots == std::string_view::npos ? first : parse_whole<std::uint64_t>(text.substr(dots + 2));
  if (!first || !last || *last < *first) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' is not a range of seeds; write such as 1..2000", text));
  }
  return SeedRange{*first, *last};
}

Result<std::vector<std::uint32_t>> parse_scale(std::string_view text) {
  std::vector<std::uint32_t> sizes;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const auto size = parse_whole<std::uint32_t>(text.substr(0, end));
    if (!size || *size < 7 || *size > kHostsMax) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'{}' is not a number of nodes from 7 to {}; write such as 10,100,1000",
                              text.substr(0, end), kHostsMax));
    }
    sizes.push_back(*size);
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return sizes;
}

Result<SeedRange> seeds_of(const SimOptions& options) {
  if (options.seed && !options.seeds.empty()) {
    return fail(ErrorCode::kInvalidArgument, "--seed and --seeds exclude each other");
  }
  if (options.seed) return SeedRange{*options.seed, *options.seed};
  if (!options.seeds.empty()) return parse_seeds(options.seeds);
  return options.trace ? SeedRange{1, 1} : SeedRange{1, kSeedsDefault};
}

std::string replay_command(const SimOptions& options, std::uint64_t seed) {
  std::string command = fmt::format("hyperscale sim --seed {}", seed);
  const auto add = [&](std::string_view flag, const std::string& value) {
    if (!value.empty()) append_format(command, " {} {}", flag, value);
  };
  add("--scenario", options.scenario);
  add("--time", options.time);
  add("--nodes", options.nodes);
  add("--mutate", options.mutate);
  return command + " --trace";
}

}  // namespace hyperscale::sim

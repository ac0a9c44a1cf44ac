// Options of `hyperscale sim` on the command line, and values derived from them. Plain values and pure functions;
// invalid text is kInvalidArgument with a sentence.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "sim/run/campaign.h"
#include "sim/scenario/scenario.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::sim {

inline constexpr std::uint64_t kSeedsDefault = 20;

struct SimOptions {
  std::optional<std::uint64_t> seed = std::nullopt;
  std::string seeds = {};     // "1..2000"
  std::string scenario = {};  // name or file; empty for the swarm
  std::string time = {};      // "10m"
  std::string nodes = {};     // "gates=3,dcs=2"
  std::string mutate = {};    // name, or "list"
  std::string scale = {};     // "10,100,1000"
  std::uint32_t jobs = 0;     // 0: one for each core
  bool trace = false;
  bool list = false;
  bool json = false;
  bool once = false;  // run each seed only once
  bool keep_going = false;
};

// "1..2000" or "7".
Result<SeedRange> parse_seeds(std::string_view text);
// "10,30,100".
Result<std::vector<std::uint32_t>> parse_scale(std::string_view text);
// --seed, --seeds, or seeds 1 to kSeedsDefault.
Result<SeedRange> seeds_of(const SimOptions& options);
// The command that repeats this seed in the same way.
std::string replay_command(const SimOptions& options, std::uint64_t seed);

}  // namespace hyperscale::sim

// Targets: the machines of a fault or an expectation, as text that can refer to a leader not yet known.
//
//   "gate1"                      one machine
//   "managers in dc1"            all with both labels
//   "gate1, workers"             all with either
//   "leader of gates"            their leader at that moment; empty without one
//   "followers of gates"         the others
//   "2 random of workers in dc2" drawn from the seed; also "1 random of followers of gates"
//
// Plain values. The parser knows the existing labels and suggests the nearest one for an unknown word.
#pragma once

#include "base/prng.h"
#include "base/result.h"
#include "sim/engine/host.h"
#include "sim/engine/sim_time.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::sim {

inline constexpr std::string_view kAllLabel = "all";

enum class TargetPick : std::uint8_t { kEach, kLeader, kFollowers };

struct TargetGroup {
  TargetPick pick = TargetPick::kEach;
  std::uint32_t count = 0;          // number of random ones; 0 for all
  std::vector<std::string> labels;  // all of them, or the machine's name
};

using Targets = std::vector<TargetGroup>;

// `labels`: all existing labels and machine names.
Result<Targets> parse_targets(std::string_view text, std::span<const std::string> labels);
std::string to_string(const Targets& targets);

// The leader among these machines, if any.
using LeaderOf = std::function<std::optional<HostId>(const std::vector<HostId>& hosts)>;

// In ascending order, without duplicates. specs: in the order of their names, as a world numbers them.
std::vector<HostId> resolve(const Targets& targets, std::span<const HostSpec* const> specs, const LeaderOf& leader_of,
                            Prng& prng);

}  // namespace hyperscale::sim

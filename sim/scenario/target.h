// Targets: machines that a fault or an expectation is about, as text that can be written before it is known who leads.
//
//   "gate1"                      one machine
//   "managers in dc1"            all that have both labels
//   "gate1, workers"             all of either
//   "leader of gates"            who leads them at that moment; nobody when nobody does
//   "followers of gates"         the others
//   "2 random of workers in dc2" drawn from the seed; also "1 random of followers of gates"
//
// Plain values. Parsing knows the labels that exist and names the nearest one for a word that is none.
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
  std::uint32_t count = 0;          // so many of them at random; 0 for all
  std::vector<std::string> labels;  // all of them, or the machine's name
};

using Targets = std::vector<TargetGroup>;

// `labels`: every label and machine name that exists.
Result<Targets> parse_targets(std::string_view text, std::span<const std::string> labels);
std::string to_string(const Targets& targets);

// The one of these machines that leads them, if any.
using LeaderOf = std::function<std::optional<HostId>(const std::vector<HostId>& hosts)>;

// In ascending order, each once. specs: in the order of their names, as a world numbers them.
std::vector<HostId> resolve(const Targets& targets, std::span<const HostSpec* const> specs, const LeaderOf& leader_of,
                            Prng& prng);

}  // namespace hyperscale::sim

// Scenario files: parses TOML into a Scenario, or returns all errors in it.
//
//   about = "The leader of the gates is killed"
//   time = "2m"
//
//   [topology]
//   gates = 3
//
//   [network]           # latency, jitter, site_latency, site_jitter, loss, duplicate, reorder, corrupt, mtu
//   [settings]          # numbers for the process factory
//
//   [[fault]]
//   at = "30s"
//   kind = "crash"
//   targets = "leader of gates"
//
//   [[expect]]
//   at = "60s"
//   kind = "one_leader"
//
// A pure function. Errors contain file, line, the problem and the nearest valid word; a scenario with errors must not
// be run.
#pragma once

#include "sim/scenario/scenario.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::sim {

inline constexpr std::size_t kScenarioBytesMax = 256 * 1024;

struct ScenarioLoad {
  Scenario scenario;
  std::vector<std::string> errors;  // "leader_killed.toml:12: unknown key 'knd'; did you mean 'kind'?"

  bool ok() const { return errors.empty(); }
};

// `topology` replaces the one in the file.
ScenarioLoad read_scenario(std::string_view file, std::string_view text,
                           std::optional<Topology> topology = std::nullopt);

}  // namespace hyperscale::sim

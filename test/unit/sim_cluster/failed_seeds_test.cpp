// Seeds that once failed, as sim/seeds keeps them.
#include "base/duration_text.h"
#include "sim/cluster/cluster_binding.h"
#include "sim/run/scenario_list.h"
#include "sim/run/simulation.h"
#include "sim/scenario/scenario_file.h"
#include "sim/scenario/swarm.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::sim {
namespace {

using Words = std::map<std::string, std::string>;  // option -> value

std::vector<Words> kept_seeds() {
  std::vector<Words> all;
  for (const auto& file : std::filesystem::directory_iterator(SEEDS_DIR)) {
    std::ifstream lines(file.path());
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line.substr(0, line.find('#')));
      Words options;
      for (std::string name, value; words >> name >> value;) options[name] = value;
      if (!options.empty()) all.push_back(options);
    }
  }
  return all;
}

Scenario scenario_of(const Words& options, std::uint64_t seed) {
  const auto value = [&](const char* name) { return options.contains(name) ? options.at(name) : std::string(); };
  SwarmOptions swarm;
  if (!value("--nodes").empty()) swarm.topology = *parse_topology(value("--nodes"), Topology());
  if (!value("--time").empty()) swarm.time = *parse_duration(value("--time"));
  for (const ScenarioText& each : scenario_list()) {
    if (each.name == value("--scenario")) return read_scenario(value("--scenario"), each.text).scenario;
  }
  return swarm_scenario(seed, swarm);
}

TEST(FailedSeeds, Pass) {
  for (const Words& options : kept_seeds()) {
    ASSERT_TRUE(options.contains("--seed"));
    const std::uint64_t seed = std::stoull(options.at("--seed"));
    const auto outcome = simulate(scenario_of(options, seed), seed, cluster_binding().maker(""));
    EXPECT_FALSE(outcome.violation.has_value()) << "seed " << seed << ": " << outcome.violation->what;
  }
}

}  // namespace
}  // namespace hyperscale::sim

// The scenarios that the program carries: the files of sim/scenarios, by name. Read-only; any thread.
#pragma once

#include <span>
#include <string_view>

namespace hyperscale::sim {

struct ScenarioText {
  std::string_view name;  // without ".toml"
  std::string_view text;
};

// In the order of their names.
std::span<const ScenarioText> scenario_list();

}  // namespace hyperscale::sim

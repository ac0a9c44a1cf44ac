// The scenarios embedded in the program: the files of sim/scenarios, by name. Read-only; any thread.
#pragma once

#include <span>
#include <string_view>

namespace hyperscale::sim {

struct ScenarioText {
  std::string_view name;  // without ".toml"
  std::string_view text;
};

// Ordered by name.
std::span<const ScenarioText> scenario_list();

}  // namespace hyperscale::sim

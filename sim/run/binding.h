// Binding: the simulated system of the command: its factory, and the bugs that can be planted in it. Plain values.
#pragma once

#include "sim/run/scale.h"
#include "sim/scenario/system.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::sim {

// A planted bug that the simulator must find.
struct PlantedBug {
  std::string name;
  std::string about;
  std::uint64_t seeds_max = 0;  // a seed from 1 to this one finds it
  std::string scenario = {};    // in this scenario; empty: the swarm
};

struct Binding {
  // bug: empty for none.
  std::function<SystemMaker(std::string_view bug)> maker;
  std::vector<PlantedBug> bugs;
  ScaleSystemMaker scale;
};

}  // namespace hyperscale::sim

// Binding: what the command needs to know about the system that it simulates: how one is made, and which bugs can be
// planted in it. Plain values.
#pragma once

#include "sim/run/scale.h"
#include "sim/scenario/system.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::sim {

// A bug on purpose: the simulator has to find it, or it would not find an honest one.
struct PlantedBug {
  std::string name;
  std::string about;
  std::uint64_t seeds_max = 0;  // some seed from 1 to this one finds it
  std::string scenario = {};    // in this scenario; the swarm when empty
};

struct Binding {
  // bug: empty for none.
  std::function<SystemMaker(std::string_view bug)> maker;
  std::vector<PlantedBug> bugs;
  ScaleSystemMaker scale;
};

}  // namespace hyperscale::sim

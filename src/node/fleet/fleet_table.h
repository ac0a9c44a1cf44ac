// What `hyperscale cluster status` prints: a row per node with what it is, how the others see it, and who leads.
//
// Pure; any thread. What nodes answer is foreign: texts are made safe, and what is missing or of another type is "-".
#pragma once

#include "base/glyphs.h"

#include <optional>
#include <string>
#include <vector>

namespace hyperscale::node {

struct FleetRow {
  std::string name, role, datacenter, address;
  std::string process;                  // "running", "paused", "gone"
  std::optional<std::string> standing;  // JSON of the node; none when it does not answer
};

std::string fleet_table(const std::vector<FleetRow>& rows, Glyphs glyphs);

}  // namespace hyperscale::node

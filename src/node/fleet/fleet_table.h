// The table of `hyperscale cluster status`: a row per node with its role, how other nodes see it, and its leader.
//
// Pure; any thread. Answers of nodes are not trusted: texts are sanitised; a missing or mistyped field is shown as "-".
#pragma once

#include "base/glyphs.h"

#include <optional>
#include <string>
#include <vector>

namespace hyperscale::node {

struct FleetRow {
  std::string name, role, datacenter, address;
  std::string process;                  // "running", "paused", "gone"
  std::optional<std::string> standing;  // JSON of the node; empty if it does not answer
};

std::string fleet_table(const std::vector<FleetRow>& rows, Glyphs glyphs);

}  // namespace hyperscale::node

// Rules between fields, checked on the merged configuration.
//
// Thread rule: pure functions over an immutable list. Invariant: the fields of one rule are all live or all not, so
// taking over the live fields of a valid configuration cannot break a rule.
#pragma once

#include "runtime/config/config_fields.h"
#include "runtime/config/node_config.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hyperscale::runtime {

struct ConfigRule {
  std::vector<std::string> fields;  // paths; the first one is blamed where none was set more strongly than the others
  std::optional<FieldProblem> (*check)(const NodeConfig& config);
};

std::span<const ConfigRule> config_rules();

}  // namespace hyperscale::runtime

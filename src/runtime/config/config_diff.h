// Changes of a reload, and the part that a running node can apply in place.
//
// Thread rule: pure functions. Invariants: apply_live changes exactly the fields that the diff calls live; the fields
// of every rule between fields are all live or all not, so the result of apply_live on two valid configurations is
// valid. Values of secret fields are replaced by kRedacted.
#pragma once

#include "runtime/config/node_config.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::runtime {

inline constexpr std::string_view kRedacted = "(redacted)";

struct FieldChange {
  std::string path;
  std::string old_text;
  std::string new_text;
  bool live = false;
  bool operator==(const FieldChange&) const = default;
};

struct ConfigDiff {
  std::vector<FieldChange> changes;  // in the order of the table

  bool empty() const { return changes.empty(); }
  bool needs_restart() const;  // a changed field is not live
};

ConfigDiff diff_configs(const NodeConfig& running, const NodeConfig& wanted);
// The running configuration with the live fields of the wanted one.
NodeConfig apply_live(const NodeConfig& running, const NodeConfig& wanted);
// One line per field: "applied api.deadline 2s -> 3s", "refused api.listen a:1 -> b:2, needs a restart".
std::string render_diff(const ConfigDiff& diff);

}  // namespace hyperscale::runtime

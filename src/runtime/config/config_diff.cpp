#include "runtime/config/config_diff.h"

#include "base/check.h"
#include "runtime/config/config_fields.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

std::string shown(const std::string& text) {
  return text.empty() ? "\"\"" : text;
}

}  // namespace

bool ConfigDiff::needs_restart() const {
  return std::ranges::any_of(changes, [](const FieldChange& change) { return !change.live; });
}

ConfigDiff diff_configs(const NodeConfig& running, const NodeConfig& wanted) {
  ConfigDiff diff;
  for (const FieldInfo& field : config_fields()) {
    std::string old_text = field_text(running, field);
    std::string new_text = field_text(wanted, field);
    if (old_text == new_text) continue;
    if (field.secret) old_text = new_text = kRedacted;
    diff.changes.push_back({field.path, std::move(old_text), std::move(new_text), field.live});
  }
  return diff;
}

NodeConfig apply_live(const NodeConfig& running, const NodeConfig& wanted) {
  NodeConfig result = running;
  for (const FieldInfo& field : config_fields()) {
    if (!field.live) continue;
    const auto problem = set_field(result, field, field_text(wanted, field));
    CHECK(!problem, "{}", problem->message);
  }
  return result;
}

std::string render_diff(const ConfigDiff& diff) {
  std::string lines;
  for (const FieldChange& change : diff.changes) {
    lines += fmt::format("{} {} {} -> {}{}\n", change.live ? "applied" : "refused", change.path, shown(change.old_text),
                         shown(change.new_text), change.live ? "" : ", needs a restart");
  }
  return lines;
}

}  // namespace hyperscale::runtime

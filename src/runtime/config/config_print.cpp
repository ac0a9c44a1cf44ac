#include "runtime/config/config_print.h"

#include "runtime/config/config_fields.h"
#include "runtime/config/safe_text.h"

#include <functional>

#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

constexpr int kCommentColumn = 40;

std::string toml_value(const NodeConfig& config, const FieldInfo& field) {
  const std::string text = field_text(config, field);
  const bool bare = field.kind == FieldKind::kSwitch || field.kind == FieldKind::kCount;
  return bare ? text : toml_quoted(text);
}

void for_each_with_section(const std::function<void(std::string_view section, bool first, const FieldInfo&)>& visit) {
  std::string_view current;
  for (const FieldInfo& field : config_fields()) {
    const std::string_view section = std::string_view(field.path).substr(0, field.path.find('.'));
    visit(section, section != current, field);
    current = section;
  }
}

}  // namespace

std::string print_config(const NodeConfig& config, const ConfigOrigins& origins) {
  std::string toml;
  for_each_with_section([&](std::string_view section, bool first, const FieldInfo& field) {
    if (first) toml += fmt::format("{}[{}]\n", toml.empty() ? "" : "\n", section);
    const std::string line = fmt::format("{} = {}", field.path.substr(section.size() + 1), toml_value(config, field));
    const auto origin = origins.find(field.path);
    toml += origin == origins.end() ? line + "\n"
                                    : fmt::format("{:<{}} # {}\n", line, kCommentColumn, origin->second.to_string());
  });
  return toml;
}

std::string reference_markdown() {
  std::string page;
  for_each_with_section([&](std::string_view section, bool first, const FieldInfo& field) {
    if (first) {
      page += fmt::format("{}### `[{}]`\n\n", page.empty() ? "" : "\n", section);
      page += "| Key | Default | Range | Live | Environment variable | Meaning |\n|---|---|---|---|---|---|\n";
    }
    page += fmt::format("| `{}` | {} | {} | {} | `{}` | {} |\n", field.path,
                        field.default_text.empty() ? "empty" : fmt::format("`{}`", field.default_text),
                        range_text(field), field.live ? "yes" : "no", field.environment, field.help);
  });
  return page;
}

}  // namespace hyperscale::runtime

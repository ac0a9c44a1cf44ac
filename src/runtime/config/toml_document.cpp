#include "runtime/config/toml_document.h"

// The parser is compiled here and nowhere else, without its exceptions.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 16
#include "runtime/config/safe_text.h"

#include <algorithm>

#include <toml++/toml.h>

namespace hyperscale::runtime {
namespace {

constexpr std::string_view kBareKeyCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

TomlPlace place_of(const toml::source_position& position) {
  return {position.line, position.column};
}

std::string path_part(std::string_view key) {
  const bool bare = !key.empty() && key.find_first_not_of(kBareKeyCharacters) == std::string_view::npos;
  return bare ? std::string(key) : "\"" + printable(key) + "\"";
}

std::string type_name(toml::node_type type) {
  switch (type) {
    case toml::node_type::array:
      return "a list";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time:
      return "a date or time";
    default:
      return "a value";
  }
}

TomlValue value_of(const toml::node& node) {
  if (node.is_table()) return TomlSection{};
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* fraction = node.as_floating_point()) return fraction->get();
  if (const auto* text = node.as_string()) return text->get();
  return TomlOther{type_name(node.type())};
}

void walk_table(const toml::table& table, const std::string& prefix, const TomlVisitor& visit) {
  for (const auto& [key, node] : table) {
    const TomlEntry entry{.path = prefix + path_part(key.str()),
                          .value = value_of(node),
                          .key_place = place_of(key.source().begin),
                          .value_place = place_of(node.source().begin)};
    if (visit(entry) && node.is_table()) walk_table(*node.as_table(), entry.path + ".", visit);
  }
}

std::string syntax_message(std::string_view description) {
  constexpr std::string_view kPrefix = "Error while ";
  if (!description.starts_with(kPrefix)) return "syntax error: " + printable(description);
  return "syntax error while " + printable(description.substr(kPrefix.size()));
}

std::optional<TomlSyntaxError> deep_line(std::string_view text) {
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::string_view content = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), content.size() + 1));
    const std::size_t first = content.find_first_not_of(" \t");
    if (first == std::string_view::npos || content[first] == '#') continue;
    if (static_cast<std::size_t>(std::ranges::count(content, '.')) > kTomlDotsPerLineMax) {
      return TomlSyntaxError{"syntax error: the line has too many dots to be a key or a value", {line, 1}};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<TomlSyntaxError> walk_toml(std::string_view text, const TomlVisitor& visit) {
  if (auto error = deep_line(text)) return error;
  const toml::parse_result result = toml::parse(text);
  if (!result) {
    const toml::parse_error& error = result.error();
    TomlPlace place = place_of(error.source().begin);
    // The parser leaves the position empty for a text that ends at once.
    place.line = std::max(place.line, 1u);
    place.column = std::max(place.column, 1u);
    return TomlSyntaxError{syntax_message(error.description()), place};
  }
  walk_table(result.table(), "", visit);
  return std::nullopt;
}

std::string toml_type_name(const TomlValue& value) {
  struct Namer {
    std::string operator()(bool) const { return "true or false"; }
    std::string operator()(std::int64_t) const { return "a number"; }
    std::string operator()(double) const { return "a fraction"; }
    std::string operator()(const std::string&) const { return "text"; }
    std::string operator()(const TomlOther& other) const { return other.type; }
    std::string operator()(TomlSection) const { return "a section"; }
  };
  return std::visit(Namer{}, value);
}

}  // namespace hyperscale::runtime

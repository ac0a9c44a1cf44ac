// Visits the keys of a TOML configuration or scenario file. Hides the parser's own header.
//
// Thread rule: pure function. Limits: nesting is bounded (kTomlDotsPerLineMax and the parser's own limit), so that no
// text can exhaust the stack; the caller decides for each section whether to visit it. Failure: on a syntax error
// nothing is visited.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace hyperscale::runtime {

// A dotted key is a table in a table in a table; a line with more dots than any valid key or value is refused.
inline constexpr std::size_t kTomlDotsPerLineMax = 64;

struct TomlPlace {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// A date and the like: no key accepts it.
struct TomlOther {
  std::string type;
};
struct TomlSection {};
struct TomlList {};

using TomlValue = std::variant<bool, std::int64_t, double, std::string, TomlOther, TomlSection, TomlList>;

struct TomlEntry {
  std::string path;  // dotted; a part that is not a bare key is in quotes; an element of a list is "fault[0]"
  TomlValue value;
  TomlPlace key_place;
  TomlPlace value_place;
};

struct TomlSyntaxError {
  std::string message;
  TomlPlace place;
};

// Calls visit for every key of the top level; where it returns true for a section or a list, also for what is in
// there. Sections come in the order of their keys, elements of a list in their own.
using TomlVisitor = std::function<bool(const TomlEntry& entry)>;
std::optional<TomlSyntaxError> walk_toml(std::string_view text, const TomlVisitor& visit);

// "a number", "text", "a section": what a message calls the value.
std::string toml_type_name(const TomlValue& value);

}  // namespace hyperscale::runtime

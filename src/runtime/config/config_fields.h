// The one table of configuration keys. Loader, printer, diff, command line and the reference table of
// docs/configuration.md all walk it, so a key cannot exist in one of them and be missing in another.
//
// Thread rule: the table is immutable after its first use; reading it is safe from any thread. Invariants: paths are
// unique, and so are the names of their environment variables. Failure: a bad value is reported as a FieldProblem and
// changes nothing.
#pragma once

#include "base/time.h"
#include "runtime/config/node_config.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hyperscale::runtime {

enum class FieldKind : std::uint8_t {
  kSwitch,    // bool: true or false
  kCount,     // uint32: a whole number
  kSize,      // uint64 of bytes: 4194304 or "4MiB"
  kDuration,  // Duration: "2s"
  kText,      // string: a name
  kChoice,    // string: one of FieldInfo::choices
  kAddress,   // string: host:port
  kPath,      // string: a file; may be empty
  kList,      // string: names separated by colons; may be empty
  kItems,     // string: names or addresses separated by commas; may be empty
};

// Returns the field inside a configuration.
using FieldAccess =
    std::variant<bool& (*)(NodeConfig&), std::uint32_t& (*)(NodeConfig&), std::uint64_t& (*)(NodeConfig&),
                 Duration& (*)(NodeConfig&), std::string& (*)(NodeConfig&)>;

struct FieldInfo {
  std::string path;  // "api.deadline"
  FieldKind kind;
  std::string help;
  // Bounds of counts, sizes (bytes) and durations (nanoseconds), both inclusive.
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::vector<std::string> choices = {};
  bool live = false;    // a reload changes it in place; otherwise the node must be restarted
  bool secret = false;  // path of a secret: diffs do not show its value
  FieldAccess access;
  std::string environment = {};   // "HYPERSCALE_API_DEADLINE"
  std::string default_text = {};  // as field_text writes it
};

// An error of a value, and its fix.
struct FieldProblem {
  std::string message;
  std::string hint;
  bool operator==(const FieldProblem&) const = default;
};

// In the order of NodeConfig, sections together.
std::span<const FieldInfo> config_fields();
// The row of a path such as "api.deadline"; nullptr when there is none.
const FieldInfo* find_field(std::string_view path);
// All paths, for nearest-match suggestions.
std::span<const std::string> field_paths();
// "api.deadline" -> "HYPERSCALE_API_DEADLINE".
std::string environment_name(std::string_view path);

// The value as a person writes it: 2s, 4MiB, 512, true, 127.0.0.1:8080. set_field of that text gives the same value
// back.
std::string field_text(const NodeConfig& config, const FieldInfo& field);
// Sets one field from text, checking type and range but no rule between fields. On a problem nothing is changed.
[[nodiscard]] std::optional<FieldProblem> set_field(NodeConfig& config, const FieldInfo& field, std::string_view text);
// "1ms to 1h", "text, json", "host:port".
std::string range_text(const FieldInfo& field);

}  // namespace hyperscale::runtime

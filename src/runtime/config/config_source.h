// Sources of configuration values, and their errors. Plain values; safe to copy between threads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hyperscale::runtime {

// Everything load_config looks at. The caller reads the file (config_file.h) and the process environment.
struct ConfigInputs {
  std::optional<std::string> file_path = std::nullopt;  // as it appears in messages; nothing when there is no file
  std::string file_text = {};
  std::map<std::string, std::string> environment = {};
  std::vector<std::pair<std::string, std::string>> flags = {};  // path -> value; the last one of a path wins
};

struct ConfigOrigin {
  enum class Kind : std::uint8_t { kDefault, kFile, kEnvironment, kFlag };

  Kind kind = Kind::kDefault;
  std::string name = {};  // of the file or the variable; empty otherwise
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  std::string to_string() const;  // "default", "node.toml:4", "HYPERSCALE_API_DEADLINE", "flag"
  bool operator==(const ConfigOrigin&) const = default;
};

// Path of the field -> origin; every field has one.
using ConfigOrigins = std::map<std::string, ConfigOrigin, std::less<>>;

struct ConfigError {
  std::string file = {};  // the file; where line is 0, the variable, "the environment" or "the flags"
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string field = {};    // path or key as it was written; empty for a syntax error
  std::string message = {};  // "unknown key 'api.dedline'"
  std::string hint = {};     // "did you mean 'api.deadline'?"; may be empty

  // One line: "unknown key 'api.dedline' at node.toml:4:1; did you mean 'api.deadline'?"
  std::string to_string() const;
};

// One line per error, each ended by a newline; empty for no errors.
std::string render_errors(const std::vector<ConfigError>& errors);

}  // namespace hyperscale::runtime

#include "runtime/config/config_source.h"

#include "base/check.h"
#include "runtime/config/safe_text.h"

#include <fmt/format.h>

namespace hyperscale::runtime {

std::string ConfigOrigin::to_string() const {
  switch (kind) {
    case Kind::kDefault:
      return "default";
    case Kind::kFile:
      return fmt::format("{}:{}", printable(name), line);
    case Kind::kEnvironment:
      return printable(name);
    case Kind::kFlag:
      return "flag";
  }
  UNREACHABLE("origin {}", static_cast<int>(kind));
}

std::string ConfigError::to_string() const {
  std::string text = message;
  if (line > 0) {
    text += fmt::format(" at {}:{}:{}", printable(file), line, column);
  } else if (!file.empty()) {
    text += fmt::format(" in {}", printable(file));
  }
  if (!hint.empty()) text += "; " + hint;
  return text;
}

std::string render_errors(const std::vector<ConfigError>& errors) {
  std::string block;
  for (const ConfigError& error : errors) block += error.to_string() + "\n";
  return block;
}

}  // namespace hyperscale::runtime

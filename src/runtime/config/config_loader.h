// load_config: flags, environment, file and defaults become one NodeConfig, or a list of all errors.
//
//   ConfigInputs inputs{.file_path = "node.toml", .file_text = text, .flags = {{"api.deadline", "3s"}}};
//   ConfigLoad load = load_config(inputs);
//   if (!load.ok()) print(render_errors(load.errors));
//
// Thread rule: a pure function, no I/O, no global state. Precedence: flags, environment, file, defaults. A wrong value
// is an error even where another source overrides it. Failure: errors never throw; all are collected, sorted by place,
// up to kConfigErrorsMax, and the last entry then counts the rest. A configuration with errors must not be run.
#pragma once

#include "runtime/config/config_source.h"
#include "runtime/config/node_config.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace hyperscale::runtime {

inline constexpr std::size_t kConfigErrorsMax = 100;
inline constexpr std::string_view kEnvironmentPrefix = "HYPERSCALE_";

// Variables with our prefix that are not configuration keys: the administrator's bearer token, and the path of the
// file.
inline constexpr std::string_view kAdminTokenVariable = "HYPERSCALE_ADMIN_TOKEN";
inline constexpr std::string_view kConfigPathVariable = "HYPERSCALE_CONFIG";
// A short name for node.amnesia; HYPERSCALE_NODE_AMNESIA overrides it.
inline constexpr std::string_view kAmnesiaVariable = "AMNESIA";

struct ConfigLoad {
  NodeConfig config;
  ConfigOrigins origins;
  std::vector<ConfigError> errors;

  bool ok() const { return errors.empty(); }
};

ConfigLoad load_config(const ConfigInputs& inputs);

}  // namespace hyperscale::runtime

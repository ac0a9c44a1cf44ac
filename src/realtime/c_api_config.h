// Converts a C configuration to a WorldConfig: wraps callbacks, checks numbers that C does not restrict.
#pragma once

#include "base/result.h"
#include "realtime/world_config.h"

#include <hyperscale/realtime.h>

namespace hyperscale::realtime {

Result<WorldConfig> world_config_of(const murk_config& config);
Command command_of(const murk_command& command);

}  // namespace hyperscale::realtime

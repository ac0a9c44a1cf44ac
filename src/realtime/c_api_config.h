// A C configuration as a WorldConfig: callbacks wrapped, numbers checked where C lets through what C++ would not.
#pragma once

#include "base/result.h"
#include "realtime/world_config.h"

#include <hyperscale/realtime.h>

namespace hyperscale::realtime {

Result<WorldConfig> world_config_of(const murk_config& config);
Command command_of(const murk_command& command);

}  // namespace hyperscale::realtime

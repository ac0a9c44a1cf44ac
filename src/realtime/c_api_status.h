// Maps outcomes of a world to C status codes, one each.
#pragma once

#include "realtime/command.h"
#include "realtime/observe/observation.h"

#include <hyperscale/realtime.h>

namespace hyperscale::realtime {

murk_status status_of(CommandOutcome outcome);
murk_status status_of(ObsErrorKind kind);

}  // namespace hyperscale::realtime

// Takes a world down: drives the shutdown machine with what its threads really do.
//
// Returns within the machine's budget whatever the threads do: a tick that hangs is abandoned, a worker that hangs is
// answered for and detached. Thread rule: one call per world, never from one of its own threads.
#pragma once

#include "realtime/ingress.h"
#include "realtime/shutdown_machine.h"

namespace hyperscale::realtime {

class WorldCore;

// reason: what commands that are still queued are told.
ShutdownResult shut_down(WorldCore& core, Ingress::Gate reason);

}  // namespace hyperscale::realtime

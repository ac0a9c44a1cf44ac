// Shuts a world down: drives the shutdown machine with the state of the world's threads.
//
// Returns within the machine's budget even if threads hang: a hanging tick is abandoned; a hanging worker's caller is
// answered and its thread detached. Thread rule: one call per world, never from one of its own threads.
#pragma once

#include "realtime/ingress.h"
#include "realtime/shutdown_machine.h"

namespace hyperscale::realtime {

class WorldCore;

// reason: the outcome that queued commands get.
ShutdownResult shut_down(WorldCore& core, Ingress::Gate reason);

}  // namespace hyperscale::realtime

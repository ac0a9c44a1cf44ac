// SingleTry: one user, one iteration, everything kept: what was sent, what came back, how long each part took. For
// `try` and `ping http`, where a person wants to see the exchange, not its statistics.
//
// Runs its own event loop on the calling thread until the answer is there or the plan's timeouts have passed.
#pragma once

#include "base/result.h"
#include "load/tried_exchange.h"
#include "plan/plan.h"

#include <vector>

namespace hyperscale::load {

// The first row of each step, one after the other. Fails when the plan cannot run; an exchange that failed is in the
// list.
Result<std::vector<TriedExchange>> try_plan(const plan::Plan& plan);

}  // namespace hyperscale::load

// SingleTry: one user, one iteration, everything kept: request, answer, duration of each phase. For `try` and
// `ping http`, where a person wants to see the exchange, not its statistics.
//
// Runs its own event loop on the calling thread until the answer has come or the plan's timeouts have passed.
#pragma once

#include "base/result.h"
#include "load/tried_exchange.h"
#include "plan/plan.h"

#include <vector>

namespace hyperscale::load {

// Sends the first row of each step, in order. Fails when the plan cannot run; a failed exchange is in the list.
Result<std::vector<TriedExchange>> try_plan(const plan::Plan& plan);

}  // namespace hyperscale::load

// Checks an answer against the plan's expectation, which decides the final outcome of the exchange.
// Pure; any thread.
#pragma once

#include "load/protocols/exchange_report.h"
#include "plan/plan.h"
#include "results/outcome.h"

#include <string_view>

namespace hyperscale::load {

// Sets `message` when the answer does not meet the expectation. Failed exchanges keep their outcome.
results::Outcome judge(const plan::Expectation& expected, const ExchangeReport& report, std::string_view& message);

}  // namespace hyperscale::load

// Whether an answer is what the plan expects: which outcome an exchange has in the end.
// Pure; any thread.
#pragma once

#include "load/protocols/exchange_report.h"
#include "plan/plan.h"
#include "results/outcome.h"

#include <string_view>

namespace hyperscale::load {

// Sets `message` when an expectation is missed. Exchanges that failed stay as they are.
results::Outcome judge(const plan::Expectation& expected, const ExchangeReport& report, std::string_view& message);

}  // namespace hyperscale::load

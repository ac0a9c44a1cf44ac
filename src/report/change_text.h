// A change of the load, as reports tell it: "12.0 s: vus=200", "12.0 s: Checkout: rate=50". Pure; any thread.
#pragma once

#include "results/run_result.h"

#include <string>

namespace hyperscale::report {

std::string change_text(const results::ChangeRecord& change);

}  // namespace hyperscale::report

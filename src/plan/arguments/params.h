// Params: the query of a URL, "?page=1&limit=100". Pure functions; any thread.
#pragma once

#include "plan/arguments/argument.h"

#include <string>
#include <utility>
#include <vector>

namespace hyperscale::plan {

// Keeps the order and repeated names. Everything but letters, digits and "-._~" is a percent escape, the blank too.
using ParamList = std::vector<std::pair<std::string, std::string>>;
// With its "?"; empty without a parameter. kInvalidArgument on an empty name or a query longer than a URL may be.
Result<std::string> prepare_params(const ParamList& params);
using Params = Argument<ParamList, std::string, prepare_params>;

}  // namespace hyperscale::plan

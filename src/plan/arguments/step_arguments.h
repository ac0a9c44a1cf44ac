// StepArguments: what the parameters of a step are bound to. A parameter that has an argument of its own gets that,
// prepared, even when the workflow's context has a key of the same name (HOOK-ARG-8); any other gets the context's
// value.
//
// One thread adds and optimises, before the loop; after that any number may bind. Nothing is copied.
#pragma once

#include "plan/arguments/auth.h"
#include "plan/arguments/cookies.h"
#include "plan/arguments/data.h"
#include "plan/arguments/headers.h"
#include "plan/arguments/json_value.h"
#include "plan/arguments/params.h"

#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace hyperscale::plan {

using AnyArgument = std::variant<Headers, Data, Params, Cookies, Auth>;
using ContextValues = std::map<std::string, JsonValue, std::less<>>;
// Nothing when neither an argument nor the context has the name. Points into the arguments or the context.
using BoundArgument = std::variant<std::monostate, const AnyArgument*, const JsonValue*>;

class StepArguments {
 public:
  // Fails with kInvalidArgument when the step has an argument of this name already.
  Status add(std::string name, AnyArgument argument);
  // Prepares all of them, once (HOOK-ARG-1, HOOK-ARG-6). The first that cannot be prepared is named.
  Status optimise();
  // REQUIRES: optimise() succeeded.
  BoundArgument bind(std::string_view name, const ContextValues& context) const;

 private:
  std::map<std::string, AnyArgument, std::less<>> arguments_;
};

}  // namespace hyperscale::plan

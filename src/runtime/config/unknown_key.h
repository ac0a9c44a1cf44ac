// Error message for a key or a variable that does not exist.
//
// Thread rule: pure functions. The value of such a key is never shown: it may be a secret in the wrong place.
#pragma once

#include "runtime/config/config_fields.h"

#include <string_view>

namespace hyperscale::runtime {

bool is_section(std::string_view path);
FieldProblem unknown_key(std::string_view path);
FieldProblem unknown_section(std::string_view path);
FieldProblem unknown_variable(std::string_view name);

}  // namespace hyperscale::runtime

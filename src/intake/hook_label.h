// The name of a hook in results: its request's name or its own, prefixed by its group. Pure; any thread.
#pragma once

#include "workflow/description.h"

#include <string>

namespace hyperscale::intake {

std::string label_of(const workflow::Hook& hook);

}  // namespace hyperscale::intake

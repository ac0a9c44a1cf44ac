// describe: runs a program once, without a user, and returns its declarations; or every error that can be detected
// before the run, each with its location. Thread rule: as Engine.
#pragma once

#include "workflow/description.h"
#include "workflow/script/runtime.h"

#include <tl/expected.hpp>

namespace hyperscale::workflow {

// REQUIRES: runtime.load() has succeeded.
tl::expected<Description, ScriptErrors> describe(Runtime& runtime);

}  // namespace hyperscale::workflow

// describe: runs a program once, without a user, and gives what it declares; or every mistake that can be known before
// the run, each with its place in the file. Thread rule: as Engine.
#pragma once

#include "workflow/description.h"
#include "workflow/script/runtime.h"

#include <tl/expected.hpp>

namespace hyperscale::workflow {

// REQUIRES: runtime.load() has succeeded.
tl::expected<Description, ScriptErrors> describe(Runtime& runtime);

}  // namespace hyperscale::workflow

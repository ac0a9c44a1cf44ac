// The native functions of the built-in module. Each validates its arguments, because a script may call it with any
// values, and lets no C++ exception out.
#pragma once

#include "workflow/script/runtime.h"

namespace hyperscale::workflow {

// An object with all of them, for the realm of the runtime's engine. There is one runtime per process, as there is one
// engine; the functions use that runtime.
ObjectRef make_natives(Runtime& runtime);
void forget_natives(const Runtime& runtime);

// Native functions for texts, URLs and hashes.
void add_web_natives(OpaqueJSContext* context, ObjectRef natives);

}  // namespace hyperscale::workflow

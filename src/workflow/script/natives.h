// The functions that the built-in module calls: everything it cannot do itself. Each checks what it is given, because a
// script may reach them with anything, and lets no C++ exception out.
#pragma once

#include "workflow/script/runtime.h"

namespace hyperscale::workflow {

// An object with all of them, for the realm of the runtime's engine. There is one runtime per process, as there is one
// engine; the functions find it by themselves.
ObjectRef make_natives(Runtime& runtime);
void forget_natives(const Runtime& runtime);

// Those for texts, URLs and hashes.
void add_web_natives(OpaqueJSContext* context, ObjectRef natives);

}  // namespace hyperscale::workflow

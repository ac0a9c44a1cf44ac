// Loads JavaScriptCore: sets the pointers of jsc_functions.h. One thread. The library stays loaded until the process
// ends, because it has its own threads.
#pragma once

#include "base/result.h"

#include <string>

namespace hyperscale::workflow {

// Does nothing if it has succeeded before. Fails with the one sentence that the user sees: what to install, or which
// functions the installed library lacks. Then no pointer is set.
Status load_jsc();

// As load_jsc(), with another file name than the built-in one; always loads again.
Status load_jsc_from(const std::string& library);

}  // namespace hyperscale::workflow

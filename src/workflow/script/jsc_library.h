// Loading JavaScriptCore: fills the pointers of jsc_functions.h. One thread. The library stays until the process ends,
// because it has threads of its own.
#pragma once

#include "base/result.h"

#include <string>

namespace hyperscale::workflow {

// Does nothing when it has succeeded before. Fails with the one sentence that the user sees: what to install, or which
// functions the installed library lacks. No pointer is set then.
Status load_jsc();

// As above with another name for the dynamic loader than the one that this program was built with; always looks anew.
Status load_jsc_from(const std::string& library);

}  // namespace hyperscale::workflow

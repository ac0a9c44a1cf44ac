// The URLs in a script: hosts are resolved before the run, so their names are needed before functions run.
//
// Found in quotes in the texts of its files, and in the values of its environment; a URL built from pieces counts if
// the pieces up to the host are in one text. Pure; any thread.
#pragma once

#include "plan/script.h"

#include <string>
#include <vector>

namespace hyperscale::plan {

// Scheme, host and port of each, in the order of the files, without repetition.
std::vector<std::string> urls_in_script(const plan::Script& script);

}  // namespace hyperscale::plan

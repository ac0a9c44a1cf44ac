// The URLs that a script names: hosts are looked up before the run, so they have to be known before its functions run.
//
// Found in the texts of its files, inside quotes, and in the values of its environment; a URL that is put together from
// pieces counts if the pieces up to the host are in one text. Pure; any thread.
#pragma once

#include "plan/script.h"

#include <string>
#include <vector>

namespace hyperscale::plan {

// Scheme, host and port of each, in the order of the files, without repetition.
std::vector<std::string> urls_in_script(const plan::Script& script);

}  // namespace hyperscale::plan

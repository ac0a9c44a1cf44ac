// What this binary is: version, commit, compiler. Filled in by the build.
#pragma once

#include <string>

namespace hyperscale::node {

std::string version_text();     // "0.1.0"
std::string git_commit();       // short hash, or "unknown" outside a checkout
std::string compiler_text();    // "clang 19.1.7"
std::string build_info_json();  // {"service":"hyperscale","version":...,"git":...,"compiler":...,"api":{"http":"v1"}}

}  // namespace hyperscale::node

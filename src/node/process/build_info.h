// Version, commit and compiler of this binary (filled in by the build), and the sandbox of scripts on this machine.
#pragma once

#include <string>

namespace hyperscale::node {

std::string version_text();     // "0.1.0"
std::string git_commit();       // short hash, or "unknown" outside a checkout
std::string compiler_text();    // "clang 19.1.7"
std::string build_info_json();  // {"service":"hyperscale","version":...,"git":...,"compiler":...,"api":{"http":"v1"}}
std::string version_json();     // the same and "sandbox":{"seccomp":true,"landlock":7}
std::string sandbox_text();     // "seccomp and Landlock (version 7)": the sandbox of scripts on this machine

}  // namespace hyperscale::node

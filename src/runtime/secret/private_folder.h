// A folder that only its user may enter, for sockets and tokens of running processes:
// ${XDG_RUNTIME_DIR:-/tmp}/hyperscale-UID.
//
// Any thread; blocking file calls. A folder that belongs to another user, or that others may enter, is kUnauthorized:
// in /tmp any user could have created it.
#pragma once

#include "base/result.h"

#include <string>

namespace hyperscale::runtime {

// From the environment of this process.
std::string user_folder_path();
// Creates the folder if it is missing and checks it.
Status open_private_folder(const std::string& folder);
// Checks it without creating it; kNotFound if it is missing.
Status check_private_folder(const std::string& folder);

}  // namespace hyperscale::runtime

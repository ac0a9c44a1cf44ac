// The folder of the control sockets of this user's runs: one Unix socket per run in a folder that only the user may
// enter, ${XDG_RUNTIME_DIR:-/tmp}/hyperscale-UID/run-ID.sock, and with --api the API token beside it, run-ID.token.
//
// Any thread; blocking file calls. A folder that another user owns or may enter is kUnauthorized: in /tmp any user
// could have created it.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::node {

// From the environment of this process.
std::string control_folder_path();
// Creates the folder if it is missing and checks it.
Status open_control_folder(const std::string& folder);
// Checks it without creating it; kNotFound if it is missing.
Status check_control_folder(const std::string& folder);

std::string control_socket_path(const std::string& folder, std::string_view run_id);
// A path of the same length, for the socket until the run listens on it.
std::string new_control_socket_path(const std::string& folder, std::string_view run_id);
// The token file of a run with --api that generated its token.
std::string api_token_path(const std::string& folder, std::string_view run_id);
// Ids of the runs that have a socket in the folder, oldest first, including killed runs.
std::vector<std::string> runs_in(const std::string& folder);
// Removes the sockets on which no process listens, with their token files. A starting run is safe: its socket gets its
// final name only once the run listens on it.
void remove_dead_sockets(const std::string& folder);

}  // namespace hyperscale::node

// Where runs of this user can be reached: one Unix socket per run in a folder that only the user may enter,
// ${XDG_RUNTIME_DIR:-/tmp}/hyperscale-UID/run-ID.sock, and with --api the token of its API beside it, run-ID.token.
//
// Any thread; blocking file calls. A folder that belongs to somebody else, or that others may enter, is kUnauthorized:
// in /tmp anybody could have made it.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::node {

// By the environment of this process.
std::string control_folder_path();
// Makes the folder when it is missing and checks it.
Status open_control_folder(const std::string& folder);
// Checks it without making it; kNotFound when it is missing.
Status check_control_folder(const std::string& folder);

std::string control_socket_path(const std::string& folder, std::string_view run_id);
// Of the same length, for a socket on which nobody listens yet.
std::string new_control_socket_path(const std::string& folder, std::string_view run_id);
// Of a run with --api, unless it was given a token.
std::string api_token_path(const std::string& folder, std::string_view run_id);
// The run ids that have a socket there, oldest first. Runs that were killed leave theirs behind.
std::vector<std::string> runs_in(const std::string& folder);
// Removes those on which nobody listens, with their tokens. None that a run will listen on: a socket gets its name when
// it is listened on.
void remove_dead_sockets(const std::string& folder);

}  // namespace hyperscale::node

// A run whose executors are this test program with scripted executors.
#pragma once

#include "node/local/local_runner.h"

#include <string>

namespace hyperscale::node {

// `script` is one of those of scripted_executor.h. No screen, epoll, two executors, ten users.
RunRequest scripted_run(const std::string& script);

}  // namespace hyperscale::node

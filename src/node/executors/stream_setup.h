// Base folder and policies of the streams of this user, from the environment. Any thread.
#pragma once

#include "base/result.h"
#include "stream/driver.h"

#include <string>

namespace hyperscale::node {

// The base as an absolute path, because other processes may have another working directory.
std::string absolute_base(const std::string& base);
// From the environment of this process; kInvalidArgument names the variable that is wrong.
Result<stream::DriverSetup> driver_setup_from_environment(const std::string& name_space);

}  // namespace hyperscale::node

// Where the streams of this user are, and by which rules they are kept, as the environment says. Any thread.
#pragma once

#include "base/result.h"
#include "stream/driver.h"

#include <string>

namespace hyperscale::node {

// As others have to be told it: they may be in another folder.
std::string absolute_base(const std::string& base);
// From the environment of this process; kInvalidArgument names the variable that is wrong.
Result<stream::DriverSetup> driver_setup_from_environment(const std::string& name_space);

}  // namespace hyperscale::node

// Options of all commands that run a node.
#pragma once

#include "apps/hyperscale/command_line/command_line.h"
#include "node/launch/node_launch.h"

#include <memory>

namespace hyperscale::app {

void add_node_options(Command command, const std::shared_ptr<node::NodeLaunch>& launch);

}  // namespace hyperscale::app

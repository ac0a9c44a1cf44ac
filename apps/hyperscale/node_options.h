// The options that every command which runs a node has.
#pragma once

#include "node/launch/node_launch.h"

#include <memory>

namespace CLI {
class App;
}

namespace hyperscale::app {

void add_node_options(CLI::App& command, const std::shared_ptr<node::NodeLaunch>& launch);

}  // namespace hyperscale::app

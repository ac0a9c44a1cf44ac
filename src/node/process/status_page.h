// The status page of a node as one JSON object: its own fields, then those of its roles.
#pragma once

#include "node/process/node_routes.h"

#include <string>

namespace hyperscale::node {

std::string status_json(const NodeParts& parts, const Roles& roles);

}  // namespace hyperscale::node

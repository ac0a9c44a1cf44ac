// The status page: what a node is doing, as one JSON object.
#pragma once

#include <string>

namespace hyperscale::node {

struct NodeParts;

std::string status_json(const NodeParts& parts);

}  // namespace hyperscale::node

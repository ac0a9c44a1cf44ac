// Layers of a dependency graph: the order in which named things run, steps in an iteration or workflows in a job.
//
// A thing's layer is one more than the highest layer among those it depends on (longest path), so it runs after all of
// them; things of one layer run together. Pure; any thread.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::plan {

struct Dependent {
  std::string name;
  std::vector<std::string> depends;
};

// Indices into the given list, layer by layer, each layer in the order of the list.
using Layers = std::vector<std::vector<std::uint32_t>>;

// The fault of a graph and the member at fault: a caller that knows its location can report that.
struct GraphFault {
  std::uint32_t member = 0;
  std::string message;
};

// `kind` ("step", "workflow") is used in messages. Fails on a name that appears twice, a dependency that does not exist
// (naming the nearest one that does) and a cycle (naming its members in order).
tl::expected<Layers, GraphFault> layers_of(std::string_view kind, std::span<const Dependent> members);

}  // namespace hyperscale::plan

#include "plan/layers.h"

#include "base/nearest_match.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hyperscale::plan {
namespace {

using Index = std::uint32_t;
constexpr Index kUnknown = UINT32_MAX;

tl::unexpected<GraphFault> fault(Index member, std::string message) {
  return tl::unexpected<GraphFault>({.member = member, .message = std::move(message)});
}

std::string unknown_dependency(std::string_view kind, std::span<const Dependent> members, const Dependent& from,
                               const std::string& name) {
  std::vector<std::string> names;
  for (const Dependent& member : members)
    if (&member != &from) names.push_back(member.name);
  std::string message =
      fmt::format("{} \"{}\" depends on \"{}\", but there is no such {}", kind, from.name, name, kind);
  if (const auto near = nearest_match(name, names)) message += fmt::format("; did you mean \"{}\"?", *near);
  return message;
}

// Follows dependencies outside of the layers until one repeats; there is a circle, or all would be in a layer.
std::vector<Index> cycle_among(std::span<const std::vector<Index>> needs, std::span<const Index> layer) {
  const auto open = [&](Index index) { return layer[index] == kUnknown; };
  std::vector<Index> path;
  Index at = 0;
  while (!open(at)) ++at;
  while (std::ranges::find(path, at) == path.end()) {
    path.push_back(at);
    at = *std::ranges::find_if(needs[at], open);
  }
  path.erase(path.begin(), std::ranges::find(path, at));
  std::ranges::rotate(path, std::ranges::min_element(path));
  return path;
}

std::string cycle_text(std::string_view kind, std::span<const Dependent> members, std::span<const Index> cycle) {
  if (cycle.size() == 1) return fmt::format("{} \"{}\" depends on itself", kind, members[cycle.front()].name);
  std::vector<std::string> names;
  for (const Index index : cycle) names.push_back(fmt::format("\"{}\"", members[index].name));
  names.push_back(names.front());
  return fmt::format("{}s depend on each other in a circle: {}", kind, fmt::join(names, " needs "));
}

}  // namespace

tl::expected<Layers, GraphFault> layers_of(std::string_view kind, std::span<const Dependent> members) {
  std::map<std::string_view, Index> by_name;
  for (Index i = 0; i < members.size(); ++i)
    if (!by_name.emplace(members[i].name, i).second)
      return fault(i, fmt::format("there are two {}s called \"{}\"", kind, members[i].name));

  std::vector<std::vector<Index>> needs(members.size());
  for (Index i = 0; i < members.size(); ++i) {
    for (const std::string& name : members[i].depends) {
      const auto found = by_name.find(name);
      if (found == by_name.end()) return fault(i, unknown_dependency(kind, members, members[i], name));
      needs[i].push_back(found->second);
    }
  }

  Layers layers;
  std::vector<Index> layer(members.size(), kUnknown);
  for (std::size_t placed = 0; placed < members.size();) {
    std::vector<Index> next;
    const auto is_placed = [&](Index index) { return layer[index] != kUnknown; };
    for (Index i = 0; i < members.size(); ++i)
      if (!is_placed(i) && std::ranges::all_of(needs[i], is_placed)) next.push_back(i);
    if (next.empty()) {
      const std::vector<Index> cycle = cycle_among(needs, layer);
      return fault(cycle.front(), cycle_text(kind, members, cycle));
    }
    for (const Index i : next) layer[i] = static_cast<Index>(layers.size());
    placed += next.size();
    layers.push_back(std::move(next));
  }
  return layers;
}

}  // namespace hyperscale::plan

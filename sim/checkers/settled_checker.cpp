#include "sim/checkers/settled_checker.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hyperscale::sim {
namespace {

constexpr std::array<std::string_view, 5> kStateNames{"unconfirmed", "alive", "suspect", "dead", "left"};

std::optional<SeenState> state_of(const NodeSnapshot& observer, HostId member) {
  const auto found = std::ranges::lower_bound(observer.members, member, {}, &SeenMember::host);
  if (found == observer.members.end() || found->host != member) return std::nullopt;
  return found->state;
}

std::string_view text_of(std::optional<SeenState> state) {
  return state ? kStateNames[static_cast<std::size_t>(*state)] : "unknown";
}

}  // namespace

Finding all_see_each_other(const std::vector<NodeSnapshot>& running, const Related& related, const HostName& name) {
  for (const NodeSnapshot& observer : running) {
    for (const NodeSnapshot& other : running) {
      if (other.host == observer.host || !related(observer.host, other.host)) continue;
      const auto state = state_of(observer, other.host);
      if (state == SeenState::kAlive || state == SeenState::kSuspect) continue;
      return fmt::format("{} runs, but to {} it is {}", name(other.host), name(observer.host), text_of(state));
    }
  }
  return std::nullopt;
}

Finding one_leader(const std::vector<NodeSnapshot>& running, GroupSize group, const HostName& name) {
  std::vector<const NodeSnapshot*> voters;
  for (const NodeSnapshot& node : running) {
    if (node.group == group.group) voters.push_back(&node);
  }
  if (voters.size() * 2 <= group.configured) return std::nullopt;
  const auto acts = [](const NodeSnapshot* node) { return node->acts; };
  const auto acting = std::ranges::count_if(voters, acts);
  if (acting != 1) {
    return fmt::format("group {}: {} of {} run and {} act as leader", group.group, voters.size(), group.configured,
                       acting);
  }
  const NodeSnapshot& leader = **std::ranges::find_if(voters, acts);
  for (const NodeSnapshot* voter : voters) {
    if (voter->leader != leader.host || voter->term != leader.term) {
      return fmt::format("group {}: {} leads term {}, but {} believes in {} and term {}", group.group,
                         name(leader.host), leader.term, name(voter->host),
                         voter->leader ? name(*voter->leader) : "nobody", voter->term);
    }
  }
  return std::nullopt;
}

Finding known_dead(const std::vector<NodeSnapshot>& running, HostId gone, const Related& related,
                   const HostName& name) {
  for (const NodeSnapshot& observer : running) {
    if (observer.host == gone || !related(observer.host, gone)) continue;
    const auto state = state_of(observer, gone);
    if (!state || state == SeenState::kDead || state == SeenState::kLeft) continue;
    return fmt::format("{} is gone, but to {} it is {}", name(gone), name(observer.host), text_of(state));
  }
  return std::nullopt;
}

Finding within_limits(HostId host, const std::vector<Gauge>& gauges) {
  for (const Gauge& gauge : gauges) {
    if (gauge.value > gauge.limit) {
      return fmt::format("machine {}: {} is {}, at most {} is allowed", host, gauge.name, gauge.value, gauge.limit);
    }
  }
  return std::nullopt;
}

}  // namespace hyperscale::sim

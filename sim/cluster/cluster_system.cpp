#include "sim/cluster/cluster_system.h"

#include "base/check.h"
#include "sim/checkers/settled_checker.h"
#include "sim/cluster/cluster_setup.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace hyperscale::sim {
namespace {

using cluster::ClusterNode;

// A whole view copies every member, so each node is checked only periodically.
constexpr Duration kViewPeriodMin = 2s;
constexpr Duration kViewPeriodPerNode = 20ms;

SeenState seen_state(cluster::MemberState state) {
  switch (state) {
    case cluster::MemberState::kUnconfirmed:
      return SeenState::kUnconfirmed;
    case cluster::MemberState::kAlive:
      return SeenState::kAlive;
    case cluster::MemberState::kSuspect:
      return SeenState::kSuspect;
    case cluster::MemberState::kDead:
      return SeenState::kDead;
    case cluster::MemberState::kLeft:
      return SeenState::kLeft;
  }
  UNREACHABLE("state {}", static_cast<int>(state));
}

}  // namespace

ClusterSystem::ClusterSystem(const Scenario& scenario, std::string bug)
    : directory_(scenario.topology),
      settings_(scenario.settings),
      bug_(std::move(bug)),
      nodes_(directory_.size()),
      key_phase_(directory_.size()),
      next_view_(directory_.size()),
      won_term_(directory_.size()),
      view_period_(std::max(kViewPeriodMin, kViewPeriodPerNode * directory_.size())),
      packets_(limits_of(settings_).datagram_bytes, limits_of(settings_).sealed_head_bytes),
      replays_(directory_.size()) {}

void ClusterSystem::attach(World& world) {
  CHECK(world.size() == directory_.size(), "{} machines, {} in the directory", world.size(), directory_.size());
  world_ = &world;
}

std::unique_ptr<Process> ClusterSystem::make(const ProcessBirth& birth) {
  const ClusterProcessSetup setup{directory_, settings_, bug_, *this, key_phase_[birth.host]};
  auto process = std::make_unique<ClusterProcess>(setup, birth);
  nodes_[birth.host] = process.get();
  callbacks_.restarted(birth.host);
  states_.restarted(birth.host);
  replays_.restarted(birth.host);
  won_term_[birth.host] = 0;
  return process;
}

void ClusterSystem::configure(HostId host, std::string_view what, std::int64_t value) {
  CHECK(what == "keys", "nothing is configured by {}", what);
  key_phase_[host] = value;
}

void ClusterSystem::hold(std::string_view checker, const Finding& finding) {
  if (finding) world_->report(checker, *finding);
}

void ClusterSystem::sent(HostId from, HostId, const SharedBytes& bytes) {
  hold(PacketChecker::kFitsPath, packets_.size(from, bytes.view()));
  hold(PacketChecker::kNonceOnce, packets_.nonce(from, bytes.view()));
}

void ClusterSystem::acted(HostId host, const ClusterNode::Action& action) {
  const auto member_of = [&](const wire::NodeIdentity& identity) { return directory_.host(identity.address); };
  if (const auto* persist = std::get_if<ClusterNode::Persist>(&action)) {
    const cluster::DurableState& state = persist->state;
    hold(VoteChecker::kName, votes_.persisted(host, {state.incarnation.value(), state.term.value(), state.voted_for}));
  } else if (const auto* won = std::get_if<ClusterNode::BecameLeader>(&action)) {
    won_.push_back({world_->now(), host});
    won_term_[host] = won->term.value();
    hold(LeaderChecker::kOnePerTerm,
         leaders_.became_leader(directory_.group(host).value_or(0), host, won->term.value(), won->fence));
  } else if (const auto* up = std::get_if<ClusterNode::MemberUp>(&action)) {
    hold(CallbackChecker::kName, callbacks_.up(host, member_of(up->member), up->recovered));
  } else if (const auto* received = std::get_if<ClusterNode::StateReceived>(&action)) {
    hold(StateChecker::kName, states_.handed(host, member_of(received->from), state_of_bytes(received->state.view())));
  } else if (const auto* down = std::get_if<ClusterNode::MemberDown>(&action)) {
    const HostId member = member_of(down->member);
    hold(CallbackChecker::kName, callbacks_.down(host, member, down->incarnation.value()));
    deaths_[member].push_back(world_->now());
    if (!down->left && world_->host(member).running()) false_deaths_.push_back({world_->now(), member});
  }
}

bool ClusterSystem::acts(HostId host) const {
  const ClusterNode* node = nodes_[host] != nullptr ? nodes_[host]->node() : nullptr;
  return node != nullptr && node->leads(world_->host(host).clock.mono(world_->now()));
}

void ClusterSystem::after_step(HostId host) {
  if (nodes_[host] == nullptr || nodes_[host]->node() == nullptr) return;
  check_leases(host);
  if (world_->now() >= next_view_[host]) check_view(host);
}

// A lease begins in a step of its holder and ends by time, so checking at every step of any node misses nothing.
void ClusterSystem::check_leases(HostId host) {
  const auto group = directory_.group(host);
  if (!group || !acts(host)) return;
  std::vector<HostId> acting;
  for (const HostId voter : directory_.voters(*group)) {
    if (acts(voter)) acting.push_back(voter);
  }
  hold(LeaderChecker::kOneActs, leaders_.acting(*group, acting));
  hold(LeaderChecker::kFencing, leaders_.acting_term(*group, host, won_term_[host]));
}

void ClusterSystem::check_view(HostId host) {
  next_view_[host] = world_->now() + view_period_;
  const cluster::ClusterView view = nodes_[host]->node()->view(world_->host(host).clock.mono(world_->now()));
  for (const cluster::MemberView& member : view.members) {
    hold(CallbackChecker::kName,
         callbacks_.seen(host, {directory_.host(member.identity.address), seen_state(member.state)}));
  }
  hold("within_limits",
       within_limits(host, {{"gossip queued", view.stats.membership.gossip_queued, limits_of(settings_).gossip_queued},
                            {"health score", view.stats.health_score, 8}}));
}

NodeSnapshot ClusterSystem::snapshot(HostId host) const {
  const cluster::ClusterView view = nodes_[host]->node()->view(world_->host(host).clock.mono(world_->now()));
  NodeSnapshot snapshot{.host = host,
                        .group = directory_.group(host),
                        .leader = {},
                        .term = view.term.value(),
                        .acts = acts(host),
                        .members = {}};
  if (view.leader) snapshot.leader = directory_.host(view.leader->address);
  for (const cluster::MemberView& member : view.members) {
    snapshot.members.push_back({directory_.host(member.identity.address), seen_state(member.state)});
  }
  std::ranges::sort(snapshot.members, {}, &SeenMember::host);
  return snapshot;
}

std::vector<NodeSnapshot> ClusterSystem::running() const {
  std::vector<NodeSnapshot> all;
  for (HostId host = 0; host < directory_.size(); ++host) {
    if (nodes_[host] != nullptr && nodes_[host]->node() != nullptr && !world_->host(host).paused)
      all.push_back(snapshot(host));
  }
  return all;
}

std::vector<std::uint32_t> ClusterSystem::groups_of(const std::vector<HostId>& hosts) const {
  std::vector<std::uint32_t> groups;
  for (const GroupSize& size : directory_.group_sizes()) {
    const auto touches = [&](HostId host) { return directory_.group(host) == size.group; };
    if (hosts.empty() || std::ranges::any_of(hosts, touches)) groups.push_back(size.group);
  }
  return groups;
}

// The acting leader; else the leader in the view of one of these nodes.
std::optional<HostId> ClusterSystem::leader_of(const std::vector<HostId>& hosts) const {
  const auto found = std::ranges::find_if(hosts, [&](HostId host) { return acts(host); });
  if (found != hosts.end()) return *found;
  for (const HostId host : hosts) {
    if (nodes_[host] == nullptr || nodes_[host]->node() == nullptr || !directory_.group(host)) continue;
    if (const auto leader = snapshot(host).leader; leader && std::ranges::find(hosts, *leader) != hosts.end())
      return leader;
  }
  return std::nullopt;
}

Finding ClusterSystem::settled() const {
  const std::vector<NodeSnapshot> nodes = running();
  const auto name = [this](HostId host) { return directory_.identity(host).name; };
  const auto related = [this](HostId a, HostId b) { return directory_.related(a, b); };
  if (auto finding = all_see_each_other(nodes, related, name)) return finding;
  for (const GroupSize& size : directory_.group_sizes()) {
    if (auto finding = one_leader(nodes, size, name)) return finding;
  }
  for (HostId host = 0; host < directory_.size(); ++host) {
    if (nodes_[host] != nullptr) continue;
    if (auto finding = known_dead(nodes, host, related, name)) return finding;
  }
  return std::nullopt;
}

std::optional<std::string> ClusterSystem::unmet(const Expectation& expectation, const std::vector<HostId>& targets) {
  const auto name = [this](HostId host) { return directory_.identity(host).name; };
  const auto related = [this](HostId a, HostId b) { return directory_.related(a, b); };
  const SimTime since = SimTime() + expectation.since;
  const auto won_since = [&](const Happened& won) {
    return won.at >= since && (targets.empty() || std::ranges::find(targets, won.host) != targets.end());
  };
  switch (expectation.kind) {
    case ExpectKind::kSettled:
      return settled();
    case ExpectKind::kOneLeader: {
      const std::vector<NodeSnapshot> nodes = running();
      for (const std::uint32_t group : groups_of(targets)) {
        if (auto finding = one_leader(nodes, {group, directory_.voters(group).size()}, name)) return finding;
      }
      return std::nullopt;
    }
    case ExpectKind::kNoLeader: {
      const auto found = std::ranges::find_if(targets, [&](HostId host) { return acts(host); });
      return found == targets.end() ? std::nullopt : std::optional(fmt::format("{} acts as leader", name(*found)));
    }
    case ExpectKind::kKnownDead: {
      const std::vector<NodeSnapshot> nodes = running();
      for (const HostId target : targets) {
        if (auto finding = known_dead(nodes, target, related, name)) return finding;
      }
      return std::nullopt;
    }
    case ExpectKind::kNoFalseDeath: {
      const auto found = std::ranges::find_if(false_deaths_, [&](const Happened& death) { return death.at >= since; });
      if (found == false_deaths_.end()) return std::nullopt;
      return fmt::format("{} was called dead while it ran", name(found->host));
    }
    case ExpectKind::kLeaderKept: {
      const auto found = std::ranges::find_if(won_, won_since);
      return found == won_.end() ? std::nullopt : std::optional(fmt::format("{} became leader", name(found->host)));
    }
    case ExpectKind::kLeaderChanged:
      return std::ranges::any_of(won_, won_since) ? std::nullopt : std::optional<std::string>("nobody became leader");
  }
  UNREACHABLE("expectation {}", static_cast<int>(expectation.kind));
}

std::vector<SimTime> ClusterSystem::deaths_told(HostId member) const {
  const auto found = deaths_.find(member);
  return found == deaths_.end() ? std::vector<SimTime>() : found->second;
}

std::size_t ClusterSystem::watchers(HostId member) const {
  std::size_t count = 0;
  for (HostId host = 0; host < directory_.size(); ++host) {
    if (nodes_[host] != nullptr && directory_.related(host, member)) ++count;
  }
  return count;
}

}  // namespace hyperscale::sim

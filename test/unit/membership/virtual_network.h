// VirtualNetwork: several Membership cores that speak to each other over seeded links with delay, loss and cuts, in
// virtual time. The same seed gives the same run.
#pragma once

#include "base/prng.h"
#include "identities.h"
#include "membership/membership.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::membership::test {

class VirtualNetwork {
 public:
  struct Node {
    wire::NodeIdentity identity;
    Config config;
    std::unique_ptr<Membership> core;  // null while it is down
    wire::Incarnation durable;
    std::uint64_t lives = 0;
  };
  struct Told {  // MemberUp and MemberDown, as one node told them
    MonoTime time;
    wire::NodeAddress by;
    wire::NodeAddress about;
    bool up = false;
    bool recovered = false;
    bool left = false;
    bool by_gossip = false;
  };

  explicit VirtualNetwork(std::uint64_t seed) : prng_(Prng(seed).stream("network")), seed_(seed) {}

  void add(const wire::NodeIdentity& identity, const std::vector<wire::NodeIdentity>& seeds,
           Duration probe_interval = 1s) {
    Config config = Config::scaled_to(probe_interval, identity.role);
    for (const wire::NodeIdentity& seed : seeds) config.seeds.push_back({seed.address, seed.role});
    nodes_[identity.address] = Node{identity, std::move(config), nullptr, {}, 0};
  }
  void start(const wire::NodeIdentity& identity) {
    Node& node = nodes_.at(identity.address);
    const std::uint64_t seed =
        seed_ * 1'000'003 + identity.address.port * 101 + identity.address.ip[13] + 7 * ++node.lives;
    node.core = std::make_unique<Membership>(node.config, identity, node.durable, seed);
    step(node, Membership::Start{});
  }
  void start_all() {
    for (auto& [address, node] : nodes_) start(node.identity);
  }
  void kill(const wire::NodeIdentity& identity) { nodes_.at(identity.address).core.reset(); }
  void lose_disk(const wire::NodeIdentity& identity) { nodes_.at(identity.address).durable = {}; }
  void leave(const wire::NodeIdentity& identity) { step(nodes_.at(identity.address), Membership::Leave{}); }

  void run_for(Duration time) {
    const MonoTime end = now + time;
    while (!queue_.empty() && queue_.begin()->first.first <= end) {
      auto due = queue_.extract(queue_.begin());
      now = due.key().first;
      deliver(due.mapped());
    }
    now = end;
  }

  Membership& core(const wire::NodeIdentity& identity) { return *nodes_.at(identity.address).core; }
  bool is_up(const wire::NodeIdentity& identity) const { return nodes_.at(identity.address).core != nullptr; }
  MemberState sees(const wire::NodeIdentity& who, const wire::NodeIdentity& whom) {
    return core(who).state_of(whom.address).value_or(MemberState::kUnconfirmed);
  }
  // Every running node holds every other related running node alive, and everybody else not.
  bool everybody_agrees() {
    for (auto& [a, one] : nodes_) {
      for (auto& [b, other] : nodes_) {
        if (a == b || !one.core || !wire::related(one.identity, other.identity)) continue;
        const auto state = one.core->state_of(b);
        const bool held_alive = state && *state == MemberState::kAlive;
        if (held_alive != (other.core != nullptr)) return false;
      }
    }
    return true;
  }
  std::vector<Told> told_of(const wire::NodeIdentity& about, bool up) const {
    std::vector<Told> found;
    for (const Told& each : told) {
      if (each.about == about.address && each.up == up) found.push_back(each);
    }
    return found;
  }
  std::size_t deaths() const {
    return static_cast<std::size_t>(
        std::count_if(told.begin(), told.end(), [](const Told& each) { return !each.up && !each.left; }));
  }

  MonoTime now = MonoTime() + 1h;
  double loss = 0;
  Duration delay_min = 200us;
  Duration delay_max = 2ms;
  std::function<bool(const wire::NodeIdentity& from, const wire::NodeIdentity& to)> cut;
  std::vector<Told> told;
  std::uint64_t messages = 0;
  bool traced = false;
  std::uint64_t hash = 0xcbf29ce484222325;

 private:
  struct Wake {
    wire::NodeAddress node;
    std::uint64_t lives;
  };
  struct Datagram {
    wire::NodeAddress to;
    Membership::Received received;
  };
  using Event = std::variant<Wake, Datagram>;

  void deliver(Event& event) {
    if (auto* wake = std::get_if<Wake>(&event)) {
      Node& node = nodes_.at(wake->node);
      if (node.core && node.lives == wake->lives && node.core->next_wake() <= now) step(node, Membership::Tick{});
      return;
    }
    auto& datagram = std::get<Datagram>(event);
    Node& node = nodes_.at(datagram.to);
    if (node.core) step(node, std::move(datagram.received));
  }

  void step(Node& node, const Membership::Event& event) {
    for (const Membership::Action& action : node.core->step(event, now)) act(node, action);
    if (!node.core) return;
    const MonoTime wake = node.core->next_wake();
    if (wake != MonoTime::max()) schedule(std::max(wake, now), Wake{node.identity.address, node.lives});
  }

  void act(Node& node, const Membership::Action& action) {
    if (traced) trace(fmt::format("{} {} {}\n", now.ns(), node.identity.name, to_string(action)));
    const wire::NodeAddress& by = node.identity.address;
    if (const auto* send = std::get_if<Membership::Send>(&action)) {
      transmit(node, *send);
    } else if (const auto* up = std::get_if<Membership::MemberUp>(&action)) {
      told.push_back({now, by, up->member.address, true, up->recovered, false, false});
    } else if (const auto* down = std::get_if<Membership::MemberDown>(&action)) {
      told.push_back({now, by, down->member.address, false, false, down->left, down->heard_by_gossip});
    } else if (const auto* changed = std::get_if<Membership::IncarnationChanged>(&action)) {
      node.durable = changed->incarnation;
    }
  }

  void trace(const std::string& line) {
    for (const char c : line) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  }

  void transmit(const Node& from, const Membership::Send& send) {
    ++messages;
    const auto to = nodes_.find(send.to);
    const Duration delay = prng_.between(delay_min, delay_max);
    const bool lost = prng_.unit() < loss;
    if (lost || to == nodes_.end() || (cut && cut(from.identity, to->second.identity))) return;
    schedule(now + delay, Datagram{send.to, {.message = send.message, .from = from.identity.address}});
  }

  void schedule(MonoTime time, Event event) { queue_.emplace(std::pair(time, ++scheduled_), std::move(event)); }

  Prng prng_;
  std::uint64_t seed_;
  std::map<wire::NodeAddress, Node> nodes_;
  std::map<std::pair<MonoTime, std::uint64_t>, Event> queue_;
  std::uint64_t scheduled_ = 0;
};

}  // namespace hyperscale::membership::test

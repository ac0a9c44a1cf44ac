// A few ClusterNodes on a network without faults, in virtual time; a test may drop, copy or change packets.
#pragma once

#include "cluster/cluster_node.h"
#include "wire/seeded_entropy.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::cluster {

inline constexpr std::string_view kTestSecret = "a-Secret-of-tests-4711";

inline wire::NodeIdentity identity(wire::NodeRole role, std::uint8_t number, std::string datacenter = "dc1") {
  return {.name = std::string(wire::name(role)) + "-" + std::to_string(number),
          .role = role,
          .datacenter = std::move(datacenter),
          .address = wire::address_v4(10, 0, static_cast<std::uint8_t>(role), number, 7700),
          .tcp_port = 7600};
}

inline ClusterConfig config_of(const wire::NodeIdentity& self, std::uint32_t group_size,
                               std::string_view secret = kTestSecret) {
  ClusterConfig config{.self = self, .seeds = {}, .keys = *wire::Keyring::make(secret)};
  config.group_size = group_size;
  config.seed = self.address.ip[15] + 1000ULL * static_cast<std::uint64_t>(self.role);
  config.entropy = std::make_shared<wire::SeededEntropy>(Prng(config.seed).stream("entropy"));
  return config;
}

class SmallCluster {
 public:
  struct Packet {
    wire::NodeAddress from, to;
    SharedBytes bytes;
  };
  static constexpr Duration kDelay = 1ms;
  static constexpr std::int64_t kWallStartNs = 1'800'000'000'000'000'000;

  ClusterNode& add(ClusterConfig config, DurableState durable = {}) {
    const wire::NodeAddress address = config.self.address;
    nodes_.insert_or_assign(address, ClusterNode(std::move(config), std::move(durable)));
    step(address, ClusterNode::Start{.wall = wall()});
    return nodes_.at(address);
  }
  void remove(const wire::NodeAddress& address) { nodes_.erase(address); }
  bool has(const wire::NodeAddress& address) const { return nodes_.contains(address); }
  ClusterNode& at(const wire::NodeAddress& address) { return nodes_.at(address); }

  void step(const wire::NodeAddress& address, const ClusterNode::Event& event) {
    for (auto& action : nodes_.at(address).step(event, now)) {
      if (const auto* send = std::get_if<ClusterNode::Send>(&action)) {
        sent.push_back({address, send->to, send->bytes});
        if (!drop || !drop(sent.back())) in_flight_.emplace(now + (delay ? delay(sent.back()) : kDelay), sent.back());
      } else {
        actions[address].push_back(std::move(action));
      }
    }
  }

  void deliver(const Packet& packet) {
    if (nodes_.contains(packet.to))
      step(packet.to, ClusterNode::DatagramIn{.from = packet.from, .bytes = packet.bytes, .wall = wall()});
  }

  void run_for(Duration duration) {
    const MonoTime end = now + duration;
    while (true) {
      MonoTime next = end;
      if (!in_flight_.empty()) next = std::min(next, in_flight_.begin()->first);
      for (const auto& [address, node] : nodes_) next = std::min(next, node.next_wake());
      now = std::max(now, next);
      if (!in_flight_.empty() && in_flight_.begin()->first <= now) {
        const Packet packet = in_flight_.begin()->second;
        in_flight_.erase(in_flight_.begin());
        deliver(packet);
        continue;
      }
      bool ticked = false;
      for (auto& [address, node] : nodes_) {
        if (node.next_wake() > now) continue;
        step(address, ClusterNode::Tick{.wall = wall()});
        ticked = true;
        break;
      }
      if (!ticked && now >= end) return;
    }
  }

  template <typename Kind>
  std::vector<Kind> told(const wire::NodeAddress& address) const {
    std::vector<Kind> found;
    const auto all = actions.find(address);
    if (all == actions.end()) return found;
    for (const auto& action : all->second)
      if (const auto* one = std::get_if<Kind>(&action)) found.push_back(*one);
    return found;
  }

  WallTime wall() const { return WallTime::from_ns(kWallStartNs + now.ns()) + wall_offset; }

  MonoTime now = MonoTime::from_ns(1'000'000'000);
  Duration wall_offset{};
  std::function<bool(const Packet&)> drop;
  std::function<Duration(const Packet&)> delay;  // one way; kDelay where there is none
  std::vector<Packet> sent;
  std::map<wire::NodeAddress, std::vector<ClusterNode::Action>> actions;

 private:
  std::map<wire::NodeAddress, ClusterNode> nodes_;
  std::multimap<MonoTime, Packet> in_flight_;
};

}  // namespace hyperscale::cluster

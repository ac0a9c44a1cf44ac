// ClusterSystem: the cluster of Hyperscale as a System: creates its processes, and checks invariants after every step
// and at the end those that must hold without faults (sim/checkers).
//
// Same thread as its world.
#pragma once

#include "sim/checkers/callback_checker.h"
#include "sim/checkers/leader_checker.h"
#include "sim/checkers/packet_checker.h"
#include "sim/checkers/replay_checker.h"
#include "sim/checkers/state_checker.h"
#include "sim/checkers/vote_checker.h"
#include "sim/cluster/cluster_directory.h"
#include "sim/cluster/cluster_process.h"
#include "sim/run/scale.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hyperscale::sim {

class ClusterSystem final : public ScaleSystem, private ClusterWatcher {
 public:
  ClusterSystem(const Scenario& scenario, std::string bug);

  std::unique_ptr<Process> make(const ProcessBirth& birth) override;
  void after_step(HostId host) override;
  void sent(HostId from, HostId to, const SharedBytes& bytes) override;
  void ended(HostId host) override { nodes_[host] = nullptr; }

  void attach(World& world) override;
  void configure(HostId host, std::string_view what, std::int64_t value) override;
  std::optional<HostId> leader_of(const std::vector<HostId>& hosts) const override;
  std::optional<std::string> unmet(const Expectation& expectation, const std::vector<HostId>& targets) override;

  std::vector<SimTime> deaths_told(HostId member) const override;
  std::size_t watchers(HostId member) const override;

 private:
  struct Happened {
    SimTime at;
    HostId host = 0;
  };

  void acted(HostId host, const cluster::ClusterNode::Action& action) override;
  void took(HostId host, const SharedBytes& bytes) override {
    hold(ReplayChecker::kName, replays_.taken(host, hash_of(bytes.view())));
  }
  void hold(std::string_view checker, const Finding& finding);
  void check_leases(HostId host);
  void check_view(HostId host);
  bool acts(HostId host) const;
  NodeSnapshot snapshot(HostId host) const;
  std::vector<NodeSnapshot> running() const;
  Finding settled() const;
  std::vector<std::uint32_t> groups_of(const std::vector<HostId>& hosts) const;

  ClusterDirectory directory_;
  Settings settings_;
  std::string bug_;
  World* world_ = nullptr;
  std::vector<ClusterProcess*> nodes_;   // running ones only
  std::vector<std::int64_t> key_phase_;  // from each machine's configuration
  std::vector<SimTime> next_view_;
  std::vector<std::uint64_t> won_term_;  // of the running process; 0: it never won
  Duration view_period_;

  LeaderChecker leaders_;
  VoteChecker votes_;
  CallbackChecker callbacks_;
  PacketChecker packets_;
  StateChecker states_;
  ReplayChecker replays_;
  std::vector<Happened> won_;           // new leaders
  std::vector<Happened> false_deaths_;  // of running machines
  std::map<HostId, std::vector<SimTime>> deaths_;
};

}  // namespace hyperscale::sim

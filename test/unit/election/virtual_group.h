// A whole group of Elections over a virtual network with faults, watched by a checker after every step. Everything
// follows from the seed.
//
// The network loses, delays, doubles and cuts (also in one direction); nodes crash also between two actions of one
// step, come back with what they had made durable, are paused, change their health; their clocks run at rates within
// the bound that lease.h assumes. Membership is played: peers are told up or down some time after it came true, at
// times wrongly.
#pragma once

#include "base/prng.h"
#include "election/election.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::election {

struct GroupPlan {
  std::size_t size = 3;
  std::uint64_t seed = 1;
  Mutations mutations = {};
  Duration trouble = 120s;  // how long faults go on before everything heals
  double drift = 0.05;      // clock rates are within 1 +- drift
};

class VirtualGroup {
 public:
  explicit VirtualGroup(const GroupPlan& plan);

  // What was violated, with the time; empty when nothing was.
  std::string run();
  std::uint64_t trace_hash() const { return trace_hash_; }
  std::uint64_t leaderships() const { return leader_of_term_.size(); }
  std::uint64_t crashes() const { return crashes_; }

 private:
  struct Node {
    ElectionConfig config;
    std::optional<Election> core;  // none: crashed
    DurableVote disk;
    double rate = 1;
    MonoTime boot_true;
    MonoTime boot_local;
    MonoTime paused_until;
    wire::Term said;  // highest term that ever left this node
    std::uint8_t health = 0;
    std::vector<bool> reported_up;
  };
  struct Delivery {
    std::size_t from = 0;
    std::size_t to = 0;
    wire::ClusterBody body;
  };
  struct Rejudge {  // membership looks whether `about` is reachable for `at`
    std::size_t at = 0;
    std::size_t about = 0;
  };
  struct Restart {
    std::size_t node = 0;
  };
  struct Trouble {};
  using Item = std::variant<Delivery, Rejudge, Restart, Trouble>;

  MonoTime local(const Node& node) const;
  MonoTime wake_of(const Node& node) const;
  void schedule(Duration in, Item item);
  void run_until(MonoTime end);
  void happen(const Item& item);
  void step(std::size_t index, const Election::Event& event);
  void carry_out(std::size_t index, const Actions<Election::Action>& actions);
  void transmit(std::size_t from, std::size_t to, const wire::ClusterBody& body);
  void boot(std::size_t index);
  void crash(std::size_t index);
  void make_trouble();
  void cut_somewhere();
  void report_all_later();
  void heal();
  void check();
  void check_calm();
  void violate(const std::string& what);
  Duration between(Duration lo, Duration hi) { return prng_.between(lo, hi); }
  bool chance(double p) { return prng_.unit() < p; }

  GroupPlan plan_;
  Prng prng_;
  MonoTime now_ = MonoTime() + 1000s;
  std::vector<Node> nodes_;
  std::vector<std::vector<bool>> cut_;  // [from][to]
  double loss_ = 0;
  bool healed_ = false;
  std::map<std::pair<MonoTime, std::uint64_t>, Item> items_;
  std::uint64_t next_item_ = 0;

  std::map<wire::Term, std::string> leader_of_term_;
  wire::Term lease_term_;
  std::uint64_t crashes_ = 0;
  std::string violation_;
  std::uint64_t trace_hash_ = 0xcbf29ce484222325;
};

}  // namespace hyperscale::election

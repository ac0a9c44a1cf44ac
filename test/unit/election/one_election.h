// One Election under a test's hand: time moves when told, what it said last can be asked for by kind.
#pragma once

#include "election/election.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hyperscale::election {

inline wire::NodeIdentity manager(std::string name, std::uint8_t host, std::string datacenter = "east") {
  wire::NodeIdentity node;
  node.name = std::move(name);
  node.role = wire::NodeRole::kManager;
  node.datacenter = std::move(datacenter);
  node.address.ip[15] = host;
  node.address.port = 7100;
  return node;
}

inline const wire::NodeIdentity kA = manager("a", 1);
inline const wire::NodeIdentity kB = manager("b", 2);
inline const wire::NodeIdentity kC = manager("c", 3);
inline const wire::NodeIdentity kD = manager("d", 4);
inline const wire::NodeIdentity kE = manager("e", 5);

inline ElectionConfig config_of(const wire::NodeIdentity& self, std::size_t group_size = 3) {
  ElectionConfig config;
  config.self = self;
  config.group_size = group_size;
  config.seed = 7;
  return config;
}

inline Duration promise_of(const Timing& timing = {}) {
  return promise_length(timing.lease);
}

class OneElection {
 public:
  explicit OneElection(ElectionConfig config, DurableVote durable = {}) : core(std::move(config), std::move(durable)) {}

  const Actions<Election::Action>& step(const Election::Event& event) {
    actions = core.step(event, now);
    for (const Election::Action& action : actions) all.push_back(action);
    return actions;
  }
  template <typename Body>
  const Actions<Election::Action>& hear(const wire::NodeIdentity& from, Body body) {
    return step(Election::Received{from, body});
  }
  // Ticks at each wake up to `time`, which becomes the present.
  void run_until(MonoTime time) {
    while (core.next_wake() <= time) {
      now = std::max(now, core.next_wake());
      step(Election::Tick{});
    }
    now = time;
  }
  void run_for(Duration duration) { run_until(now + duration); }
  // Ticks until the state is reached; false when it is not within a minute.
  bool run_to(State state) {
    const MonoTime end = now + 60s;
    while (core.state() != state) {
      if (core.next_wake() > end) return false;
      run_until(core.next_wake());
    }
    return true;
  }

  // Started, everybody known and alive, free to vote.
  void settle(const std::vector<wire::NodeIdentity>& peers) {
    for (const wire::NodeIdentity& peer : peers) step(Election::PeerUp{peer});
    step(Election::Start{});
    now += promise_of();
    actions.clear();
    all.clear();
  }

  // From the last step.
  template <typename Kind>
  std::vector<Kind> said() const {
    std::vector<Kind> found;
    for (const Election::Action& action : actions) {
      if (const Kind* kind = std::get_if<Kind>(&action)) found.push_back(*kind);
    }
    return found;
  }
  template <typename Body>
  std::vector<std::pair<std::string, Body>> sent() const {
    std::vector<std::pair<std::string, Body>> found;
    for (const Election::Send& send : said<Election::Send>()) {
      if (const Body* body = std::get_if<Body>(&send.body)) found.emplace_back(send.to.name, *body);
    }
    return found;
  }
  // The one answer of this kind in the last step, if exactly one was sent.
  template <typename Body>
  std::optional<Body> answer() const {
    const auto bodies = sent<Body>();
    if (bodies.size() != 1) return std::nullopt;
    return bodies.front().second;
  }

  Election core;
  MonoTime now = MonoTime() + 100s;
  Actions<Election::Action> actions;  // of the last step
  Actions<Election::Action> all;      // since settle()
};

// Makes it leader of the next term with the vote of `voter`, and lets the voter renew the lease once.
inline void make_leader(OneElection& one, const wire::NodeIdentity& voter) {
  one.run_to(State::kPreCandidate);
  one.hear(voter, wire::PreVoteResponse{.term = one.core.term(), .granted = true});
  one.hear(voter, wire::VoteResponse{.term = one.core.term(), .granted = true});
  one.hear(voter, wire::LeaderHeartbeatAck{.term = one.core.term(), .sequence = 1});
}

}  // namespace hyperscale::election

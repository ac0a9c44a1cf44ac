// Several Elections with one clock and a network that delivers at once, for worked examples. Dead nodes hear and say
// nothing. The transcript has every message of the election in the order of sending.
#pragma once

#include "one_election.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::election {

class CalmGroup {
 public:
  void add(ElectionConfig config, DurableVote durable = {}) {
    names_.push_back(config.self);
    nodes_.push_back(std::make_unique<OneElection>(std::move(config), std::move(durable)));
  }
  void start() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (const wire::NodeIdentity& peer : names_) {
        if (peer.name != names_[i].name) nodes_[i]->step(Election::PeerUp{peer});
      }
      step(i, Election::Start{});
    }
  }
  void step(std::size_t index, const Election::Event& event) {
    take(index, event);
    while (!wires_.empty()) {
      const Wire wire = wires_.front();
      wires_.pop_front();
      for (std::size_t to = 0; to < nodes_.size(); ++to) {
        if (names_[to].name != wire.send.to.name || dead.contains(names_[to].name)) continue;
        take(to, Election::Received{names_[wire.from], wire.send.body});
      }
    }
  }
  void run_for(Duration duration) {
    const MonoTime end = now + duration;
    while (true) {
      std::size_t next = 0;
      MonoTime wake = MonoTime::max();
      for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (dead.contains(names_[i].name) || nodes_[i]->core.next_wake() >= wake) continue;
        next = i;
        wake = nodes_[i]->core.next_wake();
      }
      if (wake > end) break;
      now = std::max(now, wake);
      step(next, Election::Tick{});
    }
    now = end;
  }
  OneElection& operator[](std::size_t index) { return *nodes_[index]; }
  // Who leads now; "none", or several names that should not be.
  std::string leaders() const {
    std::string leading;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i]->core.leads(now) && !dead.contains(names_[i].name)) leading += names_[i].name;
    }
    return leading.empty() ? "none" : leading;
  }

  MonoTime now = MonoTime() + 100s;
  std::set<std::string> dead;
  std::vector<std::string> transcript;

 private:
  struct Wire {
    std::size_t from;
    Election::Send send;
  };
  void take(std::size_t index, const Election::Event& event) {
    nodes_[index]->now = now;
    for (const Election::Action& action : nodes_[index]->step(event)) {
      if (const auto* send = std::get_if<Election::Send>(&action)) {
        transcript.push_back(fmt::format("{} {}", names_[index].name, to_string(action)));
        wires_.push_back({index, *send});
      }
    }
  }

  std::vector<wire::NodeIdentity> names_;
  std::vector<std::unique_ptr<OneElection>> nodes_;
  std::deque<Wire> wires_;
};

}  // namespace hyperscale::election

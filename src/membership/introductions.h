// Introductions: members that a new node still has to contact. Gossip about a peer does not confirm it (AD29-3), so
// each pair must exchange a message once; the new node sends it, at a bounded rate, and retries without an answer.
//
// Thread rule: one owner. Bounded by `introductions_max`; past it a member is contacted by the normal probes only.
#pragma once

#include "base/time.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace hyperscale::membership {

class Introductions {
 public:
  explicit Introductions(std::size_t introductions_max) : introductions_max_(introductions_max) {}

  void add(const wire::NodeAddress& peer, MonoTime due) {
    if (times_.size() >= introductions_max_ || !times_.try_emplace(peer, 0).second) return;
    by_due_.emplace(due, peer);
  }

  struct Next {
    wire::NodeAddress peer;
    std::size_t times = 0;  // sent before
  };
  std::optional<Next> take_due(MonoTime now) {
    if (by_due_.empty() || by_due_.begin()->first > now) return std::nullopt;
    const wire::NodeAddress peer = by_due_.begin()->second;
    by_due_.erase(by_due_.begin());
    const auto entry = times_.find(peer);
    const Next next{peer, entry->second};
    times_.erase(entry);
    return next;
  }
  void again(const Next& said, MonoTime due) {
    if (times_.try_emplace(said.peer, said.times + 1).second) by_due_.emplace(due, said.peer);
  }

  MonoTime next_due() const { return by_due_.empty() ? MonoTime::max() : by_due_.begin()->first; }
  std::size_t size() const { return times_.size(); }

 private:
  std::size_t introductions_max_;
  std::map<wire::NodeAddress, std::size_t> times_;
  std::set<std::pair<MonoTime, wire::NodeAddress>> by_due_;
};

}  // namespace hyperscale::membership

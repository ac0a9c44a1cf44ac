// Tombstones: the incarnations of members that are no longer in the table: removed after death, or dead before they
// were confirmed. Gossip that is not newer than a tombstone cannot revive its member.
//
// Thread rule: one owner. Bounded: past `tombstones_max` the oldest is dropped and counted. Each is kept for a fixed
// time, counted from when it was last raised.
#pragma once

#include "base/time.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace hyperscale::membership {

class Tombstones {
 public:
  Tombstones(std::size_t tombstones_max, Duration kept) : tombstones_max_(tombstones_max), kept_(kept) {}

  // True if it was new: there was no tombstone with this or a higher incarnation.
  bool raise(const wire::NodeAddress& address, wire::Incarnation incarnation, MonoTime now);
  std::optional<wire::Incarnation> find(const wire::NodeAddress& address, MonoTime now) const;
  void remove(const wire::NodeAddress& address);

  std::size_t size() const { return stones_.size(); }
  std::uint64_t dropped() const { return dropped_; }

 private:
  struct Stone {
    wire::Incarnation incarnation;
    MonoTime until;
  };
  void purge(MonoTime now);

  std::size_t tombstones_max_;
  Duration kept_;
  std::map<wire::NodeAddress, Stone> stones_;
  std::set<std::pair<MonoTime, wire::NodeAddress>> by_end_;
  std::uint64_t dropped_ = 0;
};

}  // namespace hyperscale::membership

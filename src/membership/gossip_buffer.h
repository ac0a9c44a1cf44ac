// GossipBuffer: the news that rides on outgoing messages (SWIM-GOSSIP-1, -2). At most one update about each subject,
// the newest; each is sent a limited number of times, lambda * ln(n + 1), and then forgotten. What is picked for a peer
// goes by kind (JOIN, LEAVE, ALIVE, SUSPECT, DEAD), then by how seldom it was sent, and holds only subjects that are
// the peer's business (wire::related) and not the peer itself.
//
// Thread rule: one owner. Bounded by updates_max: what would be sent last is pushed out and handed back by add(). A
// pick costs O(k log n) for k updates, however many are queued for other peers.
#pragma once

#include "base/time.h"
#include "wire/cluster_message.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace hyperscale::membership {

class GossipBuffer {
 public:
  explicit GossipBuffer(std::size_t updates_max);

  // Replaces what was queued about the same subject. Returns what a full buffer had to give up, if anything.
  std::optional<wire::MemberUpdate> add(wire::MemberUpdate update, MonoTime now);

  struct Budget {
    std::size_t bytes = 0;
    std::size_t updates = wire::kGossipUpdatesMax;
    std::uint32_t transmissions_max = 1;  // of one update, over all picks
  };
  // The next updates for `peer`, marked as sent once more; one that reached its transmissions is dropped.
  std::vector<wire::MemberUpdate> pick(const wire::NodeIdentity& peer, Budget budget);

  // The same news came from elsewhere: it needs telling once less. Keeps the storm small when many come at once.
  void heard_again(const wire::MemberUpdate& update, std::uint32_t transmissions_max);

  void forget(const wire::NodeAddress& subject);
  void drop_older_than(MonoTime time);
  std::size_t size() const { return by_subject_.size(); }

 private:
  using ScopeKey = std::tuple<wire::NodeRole, std::string>;                 // relation depends on these alone
  using Rank = std::tuple<wire::UpdateKind, std::uint32_t, std::uint64_t>;  // kind, times sent, order of arrival
  struct Queued {
    wire::MemberUpdate update;
    MonoTime since;
    Rank rank;
  };
  using Queue = std::map<Rank, wire::NodeAddress>;
  struct Scope {
    wire::NodeIdentity example;  // any subject of it
    Queue queue;
  };

  void count_transmission(std::map<wire::NodeAddress, Queued>::iterator entry, std::uint32_t transmissions_max);
  void drop(std::map<wire::NodeAddress, Queued>::iterator entry);
  std::optional<wire::MemberUpdate> give_up_last();

  std::size_t updates_max_;
  std::uint64_t arrivals_ = 0;
  std::map<wire::NodeAddress, Queued> by_subject_;
  std::map<ScopeKey, Scope> scopes_;
};

// lambda * ln(n + 1), at least once.
std::uint32_t transmissions_of(double retransmit_factor, std::size_t members);

}  // namespace hyperscale::membership

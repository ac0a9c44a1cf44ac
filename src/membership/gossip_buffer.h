// GossipBuffer: updates to piggyback on outgoing messages (SWIM-GOSSIP-1, -2). It holds at most one update per subject,
// the newest; each is sent lambda * ln(n + 1) times and then dropped. Updates for a peer are picked by kind (JOIN,
// LEAVE, ALIVE, SUSPECT, DEAD), then least sent first; only subjects that the peer watches (wire::related), never the
// peer itself.
//
// Thread rule: one owner. Bounded by updates_max: the update that would be sent last is evicted and returned by add().
// A pick costs O(k log n) for k updates, however many are queued for other peers.
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

  // Replaces a queued update about the same subject. Returns the update that a full buffer evicted, if any.
  std::optional<wire::MemberUpdate> add(wire::MemberUpdate update, MonoTime now);

  struct Budget {
    std::size_t bytes = 0;
    std::size_t updates = wire::kGossipUpdatesMax;
    std::uint32_t transmissions_max = 1;  // of one update, over all picks
  };
  // The next updates for `peer`, marked as sent once more; one that reached its transmissions is dropped.
  std::vector<wire::MemberUpdate> pick(const wire::NodeIdentity& peer, Budget budget);

  // A peer sent the same update: it is sent once less. Limits traffic when many updates arrive at once.
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
    wire::NodeIdentity example;  // any subject with this key
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

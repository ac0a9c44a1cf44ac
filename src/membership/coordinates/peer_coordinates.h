// PeerCoordinates: the last coordinate of each peer, at 58 bytes a peer (40 of them the coordinate and its age).
//
// Two flat arrays ordered by address: looking up is a binary search, a new peer shifts the rest. Bounded: past
// `max_peers` the least recently updated peer is evicted and counted. Thread rule: one owner.
#pragma once

#include "base/time.h"
#include "membership/coordinates/limits.h"
#include "wire/cluster_message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hyperscale::membership {

struct StoredCoordinate {
  wire::Coordinate coordinate;
  MonoTime updated_at;
};
static_assert(sizeof(StoredCoordinate) == 40);

class PeerCoordinates {
 public:
  explicit PeerCoordinates(std::size_t max_peers = kCoordinatePeersMax);

  // Returns the evicted peer, if any.
  std::optional<wire::NodeAddress> store(const wire::NodeAddress& peer, const wire::Coordinate& coordinate,
                                         MonoTime now);
  // Null when nothing is known. Valid until the next change.
  const StoredCoordinate* find(const wire::NodeAddress& peer) const;
  void forget(const wire::NodeAddress& peer);

  std::size_t size() const { return peers_.size(); }
  const std::vector<wire::NodeAddress>& peers() const { return peers_; }  // ordered
  std::uint64_t forgotten() const { return forgotten_; }

 private:
  std::size_t place_of(const wire::NodeAddress& peer) const;
  void erase(std::size_t place);
  wire::NodeAddress forget_oldest();

  std::size_t max_peers_;
  std::vector<wire::NodeAddress> peers_;
  std::vector<StoredCoordinate> coordinates_;
  std::uint64_t forgotten_ = 0;
};

}  // namespace hyperscale::membership

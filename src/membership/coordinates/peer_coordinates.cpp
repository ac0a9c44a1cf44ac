#include "membership/coordinates/peer_coordinates.h"

#include "base/check.h"

#include <algorithm>

namespace hyperscale::membership {

PeerCoordinates::PeerCoordinates(std::size_t max_peers) : max_peers_(max_peers) {
  CHECK(max_peers > 0);
}

std::optional<wire::NodeAddress> PeerCoordinates::store(const wire::NodeAddress& peer,
                                                        const wire::Coordinate& coordinate, MonoTime now) {
  if (const std::size_t place = place_of(peer); place < peers_.size() && peers_[place] == peer) {
    coordinates_[place] = {coordinate, now};
    return std::nullopt;
  }
  std::optional<wire::NodeAddress> forgotten;
  if (peers_.size() == max_peers_) forgotten = forget_oldest();
  const auto place = static_cast<std::ptrdiff_t>(place_of(peer));
  peers_.insert(peers_.begin() + place, peer);
  coordinates_.insert(coordinates_.begin() + place, StoredCoordinate{coordinate, now});
  return forgotten;
}

const StoredCoordinate* PeerCoordinates::find(const wire::NodeAddress& peer) const {
  const std::size_t place = place_of(peer);
  return place < peers_.size() && peers_[place] == peer ? &coordinates_[place] : nullptr;
}

void PeerCoordinates::forget(const wire::NodeAddress& peer) {
  const std::size_t place = place_of(peer);
  if (place < peers_.size() && peers_[place] == peer) erase(place);
}

std::size_t PeerCoordinates::place_of(const wire::NodeAddress& peer) const {
  return static_cast<std::size_t>(std::lower_bound(peers_.begin(), peers_.end(), peer) - peers_.begin());
}

void PeerCoordinates::erase(std::size_t place) {
  peers_.erase(peers_.begin() + static_cast<std::ptrdiff_t>(place));
  coordinates_.erase(coordinates_.begin() + static_cast<std::ptrdiff_t>(place));
}

wire::NodeAddress PeerCoordinates::forget_oldest() {
  const auto oldest = std::min_element(coordinates_.begin(), coordinates_.end(),
                                       [](const auto& a, const auto& b) { return a.updated_at < b.updated_at; });
  const auto place = static_cast<std::size_t>(oldest - coordinates_.begin());
  const wire::NodeAddress peer = peers_[place];
  erase(place);
  ++forgotten_;
  return peer;
}

}  // namespace hyperscale::membership

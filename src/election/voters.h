// Voters: the seats of one group. Seat 0 is this node; a vote counts by seat, so once, however often and from which
// address it is received. Owned by Election.
//
// Seats are given by name, to members of the group only: nodes of the same role, and for managers of the same
// datacenter. With configured names each has its seat and no other node gets one. Without, the first names seen take
// the free seats and keep them for the life of the process; later ones are refused and reported once. A process that
// restarts under a new name at the address of a seat takes that seat, so one process never has two. Without names
// surplus voters cannot be recognised: when more nodes than the configured size ever run, two nodes may seat different
// ones, and two majorities need not share a voter. Replacing a node means giving the new one the old name, or naming
// the voters.
#pragma once

#include "wire/node_identity.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hyperscale::election {

inline constexpr std::size_t kOwnSeat = 0;

struct Seat {
  wire::NodeIdentity node;  // only the name is known when not `seen`
  bool seen = false;
  bool up = false;  // alive for membership
};

class Voters {
 public:
  Voters(const wire::NodeIdentity& self, std::size_t size, const std::vector<std::string>& names);

  enum class Refusal { kStranger, kOwnName, kSurplus };
  struct Found {
    std::optional<std::size_t> seat = std::nullopt;
    Refusal refusal = Refusal::kStranger;
  };
  // The seat of a known node, with its newest address.
  Found seat_of(const wire::NodeIdentity& node);

  // The seat it has already, if any.
  std::optional<std::size_t> find(const wire::NodeIdentity& node) const;

  void set_up(std::size_t seat, bool up) { seats_[seat].up = up; }
  const Seat& operator[](std::size_t seat) const { return seats_[seat]; }
  // Seats given so far; at most size().
  std::span<const Seat> seats() const { return seats_; }
  std::size_t size() const { return size_; }
  // Peers alive for membership, without this node.
  std::size_t active_peers() const;

 private:
  bool same_group(const wire::NodeIdentity& node) const;

  std::size_t size_;
  bool named_;
  std::vector<Seat> seats_;
};

}  // namespace hyperscale::election

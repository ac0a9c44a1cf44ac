#include "election/voters.h"

#include <algorithm>

namespace hyperscale::election {

Voters::Voters(const wire::NodeIdentity& self, std::size_t size, const std::vector<std::string>& names)
    : size_(size), named_(!names.empty()) {
  seats_.reserve(size);
  seats_.push_back({.node = self, .seen = true, .up = true});
  for (const std::string& name : names) {
    if (name == self.name) continue;
    wire::NodeIdentity node;
    node.name = name;
    seats_.push_back({.node = std::move(node)});
  }
}

Voters::Found Voters::seat_of(const wire::NodeIdentity& node) {
  if (!same_group(node)) return {.refusal = Refusal::kStranger};
  if (node.name == seats_[kOwnSeat].node.name) return {.refusal = Refusal::kOwnName};
  std::optional<std::size_t> seat = find(node);
  if (!seat && (named_ || seats_.size() == size_)) return {.refusal = Refusal::kSurplus};
  if (!seat) {
    seat = seats_.size();
    seats_.push_back({});
  }
  if (seats_[*seat].node != node) seats_[*seat].node = node;
  seats_[*seat].seen = true;
  return {.seat = seat};
}

std::optional<std::size_t> Voters::find(const wire::NodeIdentity& node) const {
  const auto seat_where = [&](auto matches) -> std::optional<std::size_t> {
    const auto found = std::find_if(seats_.begin() + 1, seats_.end(), matches);
    if (found == seats_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - seats_.begin());
  };
  const auto by_name = seat_where([&](const Seat& seat) { return seat.node.name == node.name; });
  if (by_name || named_) return by_name;
  return seat_where([&](const Seat& seat) { return seat.seen && seat.node.address == node.address; });
}

std::size_t Voters::active_peers() const {
  return static_cast<std::size_t>(std::count_if(seats_.begin() + 1, seats_.end(), [](const Seat& s) { return s.up; }));
}

bool Voters::same_group(const wire::NodeIdentity& node) const {
  const wire::NodeIdentity& self = seats_[kOwnSeat].node;
  if (node.role != self.role) return false;
  return self.role == wire::NodeRole::kGate || node.datacenter == self.datacenter;
}

}  // namespace hyperscale::election

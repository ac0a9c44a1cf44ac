#include "membership/probe_schedule.h"

#include <utility>

namespace hyperscale::membership {

void ProbeSchedule::swap_places(std::size_t a, std::size_t b) {
  if (a == b) return;
  std::swap(order_[a], order_[b]);
  place_of_[order_[a]] = a;
  place_of_[order_[b]] = b;
}

void ProbeSchedule::add(const wire::NodeAddress& member) {
  const std::size_t last = order_.size();
  if (!place_of_.try_emplace(member, last).second) return;
  order_.push_back(member);
  swap_places(last, next_ + prng_.below(last - next_ + 1));
}

void ProbeSchedule::remove(const wire::NodeAddress& member) {
  const auto found = place_of_.find(member);
  if (found == place_of_.end()) return;
  std::size_t place = found->second;
  if (place < next_) {  // keep members that had their turn before the others
    --next_;
    swap_places(place, next_);
    place = next_;
  }
  swap_places(place, order_.size() - 1);
  place_of_.erase(member);
  order_.pop_back();
}

std::optional<wire::NodeAddress> ProbeSchedule::next() {
  if (order_.empty()) return std::nullopt;
  if (next_ >= order_.size()) {
    for (std::size_t i = order_.size(); i > 1; --i) swap_places(i - 1, prng_.below(i));
    next_ = 0;
  }
  return order_[next_++];
}

}  // namespace hyperscale::membership

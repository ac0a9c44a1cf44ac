#include "election/lease.h"

#include "base/check.h"
#include "election/voters.h"

#include <functional>

namespace hyperscale::election {

void LeaderLease::start(std::size_t seats, MonoTime deadline) {
  last_ = 0;
  acknowledged_.assign(seats, 0);
  until_ = MonoTime();
  deadline_ = deadline;
}

std::uint64_t LeaderLease::sent(MonoTime now) {
  ++last_;
  sent_at_[last_ % kHeartbeatsKept] = now;
  acknowledged_.at(kOwnSeat) = last_;
  return last_;
}

bool LeaderLease::acknowledged(std::size_t seat, std::uint64_t sequence) {
  std::uint64_t& highest = acknowledged_.at(seat);
  if (sequence <= highest || sequence > last_) return false;
  highest = sequence;
  return true;
}

void LeaderLease::renew(std::size_t quorum, Duration lease) {
  CHECK(quorum >= 1 && quorum <= acknowledged_.size(), "{} of {}", quorum, acknowledged_.size());
  std::vector<std::uint64_t> newest_first = acknowledged_;
  std::ranges::sort(newest_first, std::greater<>());
  const std::uint64_t by_quorum = newest_first[quorum - 1];
  if (by_quorum == 0 || !kept(by_quorum)) return;
  until_ = std::max(until_, sent_at(by_quorum) + lease);
  deadline_ = std::max(deadline_, until_);
}

bool LeaderLease::answered_since(std::size_t seat, MonoTime time) const {
  const std::uint64_t highest = acknowledged_.at(seat);
  return highest != 0 && kept(highest) && sent_at(highest) >= time;
}

}  // namespace hyperscale::election

// The two ends of the leader's lease: LeaderLease is how long the leader may act, VotePromise how long a follower votes
// for no other node. Plain values; time is passed in.
//
// Why two nodes never lead at once. Let leader L of term t act on heartbeat s, sent at its time S: it acts before
// S + lease, and a majority Q (L counted) acknowledged s. Let M win a later term with votes of a majority V. Some node
// x is in both.
//  - x is not L: x acknowledged s at a true time not before S was read, and then votes for no node, itself included,
//    before lease + margin have passed on its own clock. It cannot have voted for M first: from then on its durable
//    term is higher than t and it does not acknowledge s. A clock runs at a rate of 1 +- drift, so L's lease ends at
//    the latest lease / (1 - drift) after S, x's promise at the earliest (lease + margin) / (1 + drift) after S; the
//    margin below makes the second the later one.
//  - x is L: it stepped down before it voted, which ends the lease, and a term once left is never led again.
// So L's lease on s was over before M had its votes, for each s; M gets its own lease only after them. The same
// argument shows that the terms of successive lease holders rise.
//
// A restarted node does not know what it acknowledged and is bound for the same time from its start. A resignation ends
// the promise, because the lease of that term is over. Clocks that stop while the machine sleeps break the assumption;
// fencing tokens still protect what receivers check.
#pragma once

#include "base/time.h"
#include "wire/node_identity.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hyperscale::election {

// Clocks of two nodes are assumed to run at rates between 1 - drift and 1 + drift. Real ones are a hundred times
// better.
inline constexpr std::int64_t kClockRateDriftMaxPercent = 5;
// Heartbeats whose sending time is kept. Acks of older ones renew nothing: their lease would have expired.
inline constexpr std::size_t kHeartbeatsKept = 32;

// How long a follower is bound by an acknowledgement: lease * (1 + drift) / (1 - drift), rounded up.
constexpr Duration promise_length(Duration lease) {
  const std::int64_t drift = kClockRateDriftMaxPercent;
  return lease + Duration(lease.count() / (100 - drift) * 2 * drift + 2 * drift);
}

class VotePromise {
 public:
  bool binds(MonoTime now) const { return now < until_; }
  MonoTime until() const { return until_; }
  void extend(MonoTime now, Duration length) { until_ = std::max(until_, now + length); }
  void release() { until_ = MonoTime(); }

 private:
  MonoTime until_;
};

class LeaderLease {
 public:
  // A new term: nothing acknowledged. `deadline`: end of leadership unless a majority acknowledges before.
  void start(std::size_t seats, MonoTime deadline);
  void end() { until_ = deadline_ = MonoTime(); }

  // Returns the sequence of the heartbeat that is sent now.
  std::uint64_t sent(MonoTime now);
  // False for a sequence that was never sent or is not new. This node's own acknowledgement comes with sent().
  bool acknowledged(std::size_t seat, std::uint64_t sequence);
  // Renews from the newest heartbeat that `quorum` seats acknowledged, this node's own counted.
  void renew(std::size_t quorum, Duration lease);

  bool holds(MonoTime now) const { return now < until_; }
  // End of leadership unless renewed.
  MonoTime deadline() const { return deadline_; }
  // Whether the seat acknowledged a heartbeat that was sent at `time` or later.
  bool answered_since(std::size_t seat, MonoTime time) const;

 private:
  MonoTime sent_at(std::uint64_t sequence) const { return sent_at_[sequence % kHeartbeatsKept]; }
  bool kept(std::uint64_t sequence) const { return sequence + kHeartbeatsKept > last_; }

  std::array<MonoTime, kHeartbeatsKept> sent_at_ = {};
  std::uint64_t last_ = 0;
  std::vector<std::uint64_t> acknowledged_;  // by seat, highest; 0: none
  MonoTime until_;
  MonoTime deadline_;
};

}  // namespace hyperscale::election

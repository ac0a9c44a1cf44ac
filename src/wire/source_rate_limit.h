// SourceRateLimit: a token bucket for each sender (SEC-5).
//
// `source` is the sender's address inside the opened message. The source address of the packet must not be used: an
// attacker who forges it would empty the bucket of a member and silence it.
//
// Thread rule: one thread at a time; admit() takes O(log sources). At most `sources_max` buckets are kept: the one that
// is full again first is evicted first, which loses nothing when it is full already, and gives its source a new burst
// (counted) when it is not.
#pragma once

#include "base/time.h"
#include "wire/node_identity.h"
#include "wire/packet_bucket.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace hyperscale::wire {

// A table of a thousand members arrives as some seventy packets at once; one node seldom sends more than twenty a
// second.
struct SourceRateConfig {
  std::uint32_t capacity = 500;           // packets at once
  std::uint32_t refill_per_second = 200;  // packets in the long run
  std::size_t sources_max = 16384;
};

class SourceRateLimit {
 public:
  // REQUIRES: no figure is zero.
  explicit SourceRateLimit(SourceRateConfig config = {});

  // Whether a packet of this sender may be processed now; takes a token when it may.
  bool admit(const NodeAddress& source, MonoTime now);

  std::size_t sources() const { return buckets_.size(); }
  // Buckets evicted before they were full.
  std::uint64_t forgotten() const { return forgotten_; }

 private:
  void make_room(MonoTime now);

  SourceRateConfig config_;
  PacketRate rate_;
  std::map<NodeAddress, PacketBucket> buckets_;
  std::set<std::pair<MonoTime, NodeAddress>> by_full_at_;
  std::uint64_t forgotten_ = 0;
};

}  // namespace hyperscale::wire

// Properties of the path of a packet between two machines, and faults that worsen them. Plain values.
#pragma once

#include "base/time.h"
#include "sim/engine/sim_time.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hyperscale::sim {

struct LinkConditions {
  Duration latency{0};  // base latency of every packet
  Duration jitter{0};   // plus up to this much
  Duration tail{0};     // one packet in a hundred: plus up to this much
  double loss = 0;      // probabilities
  double duplicate = 0;
  double reorder = 0;  // delayed, so that later ones overtake it
  double corrupt = 0;  // one bit is flipped
};

// A set of machines. Empty means all.
class HostSet {
 public:
  HostSet() = default;
  HostSet(const std::vector<HostId>& hosts, std::size_t of_hosts) : in_(of_hosts, 0) {
    for (const HostId host : hosts) in_[host] = 1;
  }
  // Strangers are only in the set of all.
  bool contains(HostId host) const { return in_.empty() || (host < in_.size() && in_[host] != 0); }

 private:
  std::vector<std::uint8_t> in_;
};

// Worsens every link from one set of machines to another until it is removed.
struct Disturbance {
  HostSet from;
  HostSet to;
  bool blocked = false;
  LinkConditions extra;
};

struct NetworkLimits {
  std::size_t mtu_bytes = 1'400;                 // a larger datagram is not sent
  std::size_t egress_queue_bytes = 256 * 1024;   // waiting for a slow interface; more is dropped
  std::size_t receive_queue_bytes = 208 * 1024;  // waiting for a busy process; more is dropped
};

struct NetworkSetup {
  LinkConditions within_site{.latency = 150us, .jitter = 100us, .tail = 2ms};
  LinkConditions between_sites{.latency = 5ms, .jitter = 1ms, .tail = 10ms};
  NetworkLimits limits;
};

}  // namespace hyperscale::sim

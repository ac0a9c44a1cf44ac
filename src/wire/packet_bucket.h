// PacketBucket: a token bucket of packets as one number, the time at which it is full again.
//
// A plain value for one thread. Time that goes backwards fills nothing.
#pragma once

#include "base/time.h"

#include <algorithm>
#include <cstdint>

namespace hyperscale::wire {

// REQUIRES: no figure is zero.
struct PacketRate {
  std::uint32_t capacity;           // packets at once
  std::uint32_t refill_per_second;  // packets in the long run

  Duration per_packet() const { return Duration(1s) / refill_per_second; }
};

class PacketBucket {
 public:
  // Whether one more packet fits; takes a token when it does.
  bool admit(const PacketRate& rate, MonoTime now) {
    const Duration per_packet = rate.per_packet();
    const MonoTime full_after = std::max(full_at_, now) + per_packet;
    if (full_after - now > per_packet * rate.capacity) return false;
    full_at_ = full_after;
    return true;
  }

  MonoTime full_at() const { return full_at_; }

 private:
  MonoTime full_at_;
};

}  // namespace hyperscale::wire

// RttWindow: the last three measured round trips to one peer. Callers use their median, so one late packet moves no
// coordinate.
//
// Samples are numbered by the probe that they answer; one that is not newer than the last is a replay and is refused.
// Thread rule: one owner. 24 bytes.
#pragma once

#include "base/time.h"
#include "membership/coordinates/limits.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hyperscale::membership {

class RttWindow {
 public:
  // False for a replay. REQUIRES: 0 <= rtt <= kRttSampleMax.
  bool add(std::uint64_t sequence, Duration rtt);

  bool is_newer(std::uint64_t sequence) const { return count_ == 0 || sequence > last_sequence_; }
  // Of two samples the smaller, because errors only add delay. REQUIRES: not empty.
  Duration median() const;
  bool empty() const { return count_ == 0; }
  std::vector<double> samples_ms() const;  // oldest first

 private:
  std::uint64_t last_sequence_ = 0;
  std::array<float, kRttWindow> ms_ = {};  // a ring
  std::uint16_t next_ = 0;                 // where the next one goes
  std::uint16_t count_ = 0;
};

}  // namespace hyperscale::membership

// MessageIds: a unique id for every packet of a node, also when its clock jumps. An id is a snowflake; its node bits
// count how often the clock went back, from a random start for each process, so that no id of one sender repeats
// (SEC-4).
//
// Sans-IO, one thread. Fails only while the clock is outside 2024 to 2093.
#pragma once

#include "base/prng.h"
#include "base/result.h"
#include "base/snowflake.h"
#include "base/time.h"

#include <cstdint>

namespace hyperscale::cluster {

class MessageIds {
 public:
  explicit MessageIds(Prng prng) : generation_(static_cast<std::uint32_t>(prng.below(kSnowflakeNodeMax + 1))) {}

  Result<SnowflakeId> next(WallTime now) {
    auto id = ids_.next(now);
    if (id) return id;
    generation_ = (generation_ + 1) & kSnowflakeNodeMax;
    ids_ = SnowflakeGenerator(generation_);
    return ids_.next(now);
  }

 private:
  std::uint32_t generation_;
  SnowflakeGenerator ids_{generation_};
};

}  // namespace hyperscale::cluster

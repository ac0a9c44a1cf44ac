// A rate limit with a burst: rate_per_s tokens flow in, at most `burst` are kept, and a call takes some or is refused.
//
// It starts full. A refused call takes nothing. Thread rule: one owner. A time before the last one counts as the last
// one.
#pragma once

#include "base/time.h"

#include <optional>

namespace hyperscale::runtime {

class TokenBucket {
 public:
  // REQUIRES: rate_per_s >= 0, burst > 0.
  TokenBucket(double rate_per_s, double burst);

  // REQUIRES: n >= 0.
  bool try_take(MonoTime now, double n = 1);
  double available(MonoTime now) const;

 private:
  double rate_per_s_;
  double burst_;
  double tokens_;
  std::optional<MonoTime> updated_at_;
};

}  // namespace hyperscale::runtime

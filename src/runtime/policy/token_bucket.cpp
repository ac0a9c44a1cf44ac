#include "runtime/policy/token_bucket.h"

#include "base/check.h"
#include "base/duration_text.h"

#include <algorithm>
#include <chrono>

namespace hyperscale::runtime {

TokenBucket::TokenBucket(double rate_per_s, double burst) : rate_per_s_(rate_per_s), burst_(burst), tokens_(burst) {
  CHECK(rate_per_s >= 0 && burst > 0, "rate {} per s, burst {}", rate_per_s, burst);
}

double TokenBucket::available(MonoTime now) const {
  if (!updated_at_ || now <= *updated_at_) return tokens_;
  const double elapsed_s = seconds(now - *updated_at_);
  return std::min(burst_, tokens_ + elapsed_s * rate_per_s_);
}

bool TokenBucket::try_take(MonoTime now, double n) {
  CHECK(n >= 0, "{} tokens", n);
  tokens_ = available(now);
  updated_at_ = updated_at_ ? std::max(*updated_at_, now) : now;
  if (tokens_ < n) return false;
  tokens_ -= n;
  return true;
}

}  // namespace hyperscale::runtime

#include "wire/source_rate_limit.h"

#include "base/check.h"

namespace hyperscale::wire {

SourceRateLimit::SourceRateLimit(SourceRateConfig config)
    : config_(config), rate_{.capacity = config.capacity, .refill_per_second = config.refill_per_second} {
  CHECK(config.capacity > 0 && config.refill_per_second > 0 && config.sources_max > 0);
}

bool SourceRateLimit::admit(const NodeAddress& source, MonoTime now) {
  const auto known = buckets_.find(source);
  PacketBucket bucket = known == buckets_.end() ? PacketBucket() : known->second;
  const MonoTime full_before = bucket.full_at();
  if (!bucket.admit(rate_, now)) return false;
  if (known != buckets_.end()) {
    by_full_at_.erase({full_before, source});
    known->second = bucket;
  } else {
    if (buckets_.size() == config_.sources_max) make_room(now);
    buckets_.emplace(source, bucket);
  }
  by_full_at_.emplace(bucket.full_at(), source);
  return true;
}

void SourceRateLimit::make_room(MonoTime now) {
  const auto first = by_full_at_.begin();
  if (first->first > now) ++forgotten_;
  buckets_.erase(first->second);
  by_full_at_.erase(first);
}

}  // namespace hyperscale::wire

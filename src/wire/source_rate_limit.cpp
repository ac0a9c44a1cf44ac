#include "wire/source_rate_limit.h"

#include "base/check.h"

#include <algorithm>

namespace hyperscale::wire {

SourceRateLimit::SourceRateLimit(SourceRateConfig config)
    : config_(config), per_packet_(Duration(1s) / std::max<std::uint32_t>(config.refill_per_second, 1)) {
  CHECK(config.capacity > 0 && config.refill_per_second > 0 && config.sources_max > 0);
  depth_ = per_packet_ * config.capacity;
}

bool SourceRateLimit::admit(const NodeAddress& source, MonoTime now) {
  const auto known = full_at_.find(source);
  const MonoTime full_at = known == full_at_.end() ? now : std::max(known->second, now);
  const MonoTime full_after = full_at + per_packet_;
  if (full_after - now > depth_) return false;
  if (known != full_at_.end()) {
    by_full_at_.erase({known->second, source});
    known->second = full_after;
  } else {
    if (full_at_.size() == config_.sources_max) make_room(now);
    full_at_.emplace(source, full_after);
  }
  by_full_at_.emplace(full_after, source);
  return true;
}

void SourceRateLimit::make_room(MonoTime now) {
  const auto first = by_full_at_.begin();
  if (first->first > now) ++forgotten_;
  full_at_.erase(first->second);
  by_full_at_.erase(first);
}

}  // namespace hyperscale::wire

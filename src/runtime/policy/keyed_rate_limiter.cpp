#include "runtime/policy/keyed_rate_limiter.h"

#include "base/check.h"

namespace hyperscale::runtime {

KeyedRateLimiter::KeyedRateLimiter(double rate_per_s, double burst, std::size_t keys_max)
    : rate_per_s_(rate_per_s), burst_(burst), keys_max_(keys_max) {
  CHECK(keys_max > 0, "a rate limiter needs room for a key");
}

bool KeyedRateLimiter::allow(std::string_view key, MonoTime now) {
  return touch(key).bucket.try_take(now);
}

KeyedRateLimiter::Entry& KeyedRateLimiter::touch(std::string_view key) {
  if (const auto known = by_key_.find(key); known != by_key_.end()) {
    recent_.splice(recent_.begin(), recent_, known->second);
    return recent_.front();
  }
  if (recent_.size() == keys_max_) {
    by_key_.erase(recent_.back().key);
    recent_.pop_back();
  }
  recent_.push_front({std::string(key), TokenBucket(rate_per_s_, burst_)});
  by_key_.emplace(recent_.front().key, recent_.begin());
  return recent_.front();
}

void KeyedRateLimiter::clear() {
  by_key_.clear();
  recent_.clear();
}

}  // namespace hyperscale::runtime

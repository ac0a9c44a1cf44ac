// One token bucket per key (peer address, tenant), for a bounded number of keys.
//
// When keys_max is reached, the least recently used key is evicted and would start with a full bucket again; so memory
// is bounded, and the limit of a key is exact while at most keys_max keys are active. Thread rule: one owner.
#pragma once

#include "base/time.h"
#include "runtime/policy/token_bucket.h"

#include <cstddef>
#include <list>
#include <map>
#include <string>
#include <string_view>

namespace hyperscale::runtime {

class KeyedRateLimiter {
 public:
  // REQUIRES: rate_per_s >= 0, burst > 0, keys_max > 0.
  KeyedRateLimiter(double rate_per_s, double burst, std::size_t keys_max);

  bool allow(std::string_view key, MonoTime now);
  std::size_t size() const { return recent_.size(); }
  void clear();

 private:
  struct Entry {
    std::string key;
    TokenBucket bucket;
  };
  using Recent = std::list<Entry>;  // most recently used first

  Entry& touch(std::string_view key);

  double rate_per_s_;
  double burst_;
  std::size_t keys_max_;
  Recent recent_;
  std::map<std::string_view, Recent::iterator> by_key_;  // views into the entries' own keys; list nodes never move
};

}  // namespace hyperscale::runtime

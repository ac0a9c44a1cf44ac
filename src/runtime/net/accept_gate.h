// AcceptGate: whether a new connection may come in. Two limits: how many are open, and how fast one address may come.
//
// The rate comes first, so that an address over its rate does not even learn whether there is room.
// Thread rule: one owner (the accept loop). Sans-IO: the time is passed in.
#pragma once

#include "base/time.h"
#include "runtime/policy/keyed_rate_limiter.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace hyperscale::runtime {

struct AcceptLimits {
  std::size_t max_conns = 1024;
  double rate_per_ip = 500;  // connections per second
  double burst_per_ip = 1000;
};

class AcceptGate {
 public:
  explicit AcceptGate(const AcceptLimits& limits);

  // The reason of a refusal, as the metrics label; nothing when the connection may come in. `limits` are those in force
  // now; a changed rate starts with full buckets.
  std::optional<std::string_view> refusal(std::string_view ip, std::size_t open, const AcceptLimits& limits,
                                          MonoTime now);

 private:
  double rate_;
  double burst_;
  KeyedRateLimiter per_ip_;
};

}  // namespace hyperscale::runtime

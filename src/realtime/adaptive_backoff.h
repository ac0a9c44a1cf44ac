// AdaptiveBackoff: the number of ticks by which a command may lag; widens while too many commands are stale, then
// narrows.
//
// It breaks the loop "rejected as stale, sent again, more load, more rejections". The rate is stale over all commands
// of the last decay_interval ticks. A tick with a stale rejection and a rate above the threshold widens by the factor,
// rounded up, to at most the cap. decay_interval ticks in a row without a rejection narrow by one, to no less than the
// initial value. A tick without a rejection never widens: an old burst that is still in the window must not. Thread
// rule: one thread. Pure: it has no clock; a call is a tick.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <vector>

namespace hyperscale::realtime {

inline constexpr std::uint64_t kDecayIntervalMax = 1'000'000;

struct BackoffConfig {
  std::uint64_t initial_max_skew = 2;
  double backoff_factor = 1.5;
  std::uint64_t max_skew_cap = 10;
  std::uint64_t decay_interval = 60;  // ticks: length of the window, and of one step of narrowing
  double rejection_rate_threshold = 0.20;
};

Status validate(const BackoffConfig& config);

class AdaptiveBackoff {
 public:
  // REQUIRES: validate(config) holds.
  explicit AdaptiveBackoff(const BackoffConfig& config);

  std::uint64_t max_skew() const { return effective_; }
  double rejection_rate() const;
  // Call once per tick: number of commands judged in it, and how many were stale.
  void update(std::uint64_t total, std::uint64_t stale);

 private:
  struct TickCounts {
    std::uint64_t total = 0;
    std::uint64_t stale = 0;
  };

  void widen();

  BackoffConfig config_;
  std::uint64_t effective_;
  std::vector<TickCounts> window_;  // one entry per tick, as a ring
  std::size_t next_ = 0;
  TickCounts sum_;
  std::uint64_t ticks_since_rejection_ = 0;
};

}  // namespace hyperscale::realtime

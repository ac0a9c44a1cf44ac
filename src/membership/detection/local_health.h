// LocalHealth: Lifeguard's score of this node's own health, from 0 (healthy) to 8 (degraded). A slow node waits longer
// before it suspects others, so it causes no wave of false suspicions.
//
// Thread rule: one owner. The score never leaves [0, 8]; every event is accepted at any time.
#pragma once

#include "base/time.h"

#include <cstdint>

namespace hyperscale::membership {

inline constexpr std::uint32_t kHealthScoreMax = 8;

enum class HealthEvent : std::uint8_t {
  kProbeSucceeded,
  kProbeFailed,
  kIndirectProbeNeeded,
  kLoopLagged,          // by more than one period
  kLoopLaggedSeverely,  // by more than two periods
  kLoopRecovered,
  kSuspicionStarted,
  kRefutationSucceeded,  // our own suspicion was refuted by the node, or we refuted one of us
};

class LocalHealth {
 public:
  void record(HealthEvent event);
  // One turn of the owner's loop that came `late` against its `period`: records lag, or recovery after lag. A turn
  // without a period is ignored.
  void observe_loop(Duration late, Duration period);

  std::uint32_t score() const { return score_; }
  double multiplier() const { return 1.0 + 0.25 * score_; }
  Duration effective_timeout(Duration base) const { return base + base * score_ / 4; }

 private:
  std::uint32_t score_ = 0;
  bool lagging_ = false;
};

}  // namespace hyperscale::membership

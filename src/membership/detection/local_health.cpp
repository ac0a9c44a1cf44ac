#include "membership/detection/local_health.h"

#include "base/check.h"

#include <algorithm>

namespace hyperscale::membership {
namespace {

int change_by(HealthEvent event) {
  switch (event) {
    case HealthEvent::kProbeSucceeded:
    case HealthEvent::kLoopRecovered:
    case HealthEvent::kRefutationSucceeded:
      return -1;
    case HealthEvent::kProbeFailed:
    case HealthEvent::kIndirectProbeNeeded:
    case HealthEvent::kLoopLagged:
    case HealthEvent::kSuspicionStarted:
      return 1;
    case HealthEvent::kLoopLaggedSeverely:
      return 2;
  }
  UNREACHABLE("health event {}", static_cast<int>(event));
}

}  // namespace

void LocalHealth::record(HealthEvent event) {
  const int score = static_cast<int>(score_) + change_by(event);
  score_ = static_cast<std::uint32_t>(std::clamp(score, 0, static_cast<int>(kHealthScoreMax)));
}

void LocalHealth::observe_loop(Duration late, Duration period) {
  if (period <= 0ns) return;
  if (late > period) {
    lagging_ = true;
    record(late > 2 * period ? HealthEvent::kLoopLaggedSeverely : HealthEvent::kLoopLagged);
  } else if (lagging_) {
    lagging_ = false;
    record(HealthEvent::kLoopRecovered);
  }
}

}  // namespace hyperscale::membership

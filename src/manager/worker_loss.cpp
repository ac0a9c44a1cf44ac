#include "manager/worker_loss.h"

#include <algorithm>

namespace hyperscale::manager {

LossDecision decide_loss(const LostAttempt& lost, OnWorkerLoss wish) {
  const bool may_run_again = lost.attempts < kAttemptsMax;
  const Duration none = lost.from_elapsed;
  if (!lost.started || lost.part != wire::SharePart::kSteps)
    return {.again = may_run_again, .from_elapsed = lost.from_elapsed, .counted_to = none};

  const Duration known = std::max(lost.counted_to, lost.from_elapsed);
  if (!may_run_again || wish == OnWorkerLoss::kPartial)
    return {.again = false, .from_elapsed = {}, .counted_to = known};
  if (lost.bounded_by_count || wish == OnWorkerLoss::kRerun)
    return {.again = true, .from_elapsed = lost.from_elapsed, .counted_to = none};
  return {.again = true, .from_elapsed = known, .counted_to = known};
}

}  // namespace hyperscale::manager

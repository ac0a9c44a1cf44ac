// What happens with a share whose attempt is lost: whether it runs again, from where, and which of its figures count.
//
//   resume    again from the last acknowledged second; the lost attempt counts up to it
//   rerun     again from its begin; the lost attempt counts for nothing
//   partial   not again; what was acknowledged counts, the workflow has failed
//
// By default a workflow that is bounded by a number of iterations is rerun, because a part of its iterations cannot be
// named by a time; any other is resumed. Before its start an attempt has done nothing, so another one begins where it
// would have. When all attempts are used up, what is left is partial. An error of the workflow itself is not a loss:
// it is never tried again.
//
// Pure; any thread.
#pragma once

#include "base/time.h"
#include "wire/jobs/attempt.h"

#include <cstdint>

namespace hyperscale::manager {

inline constexpr std::uint32_t kAttemptsMax = 4;  // max_workflow_retries is three

enum class OnWorkerLoss : std::uint8_t { kDefault, kResume, kRerun, kPartial };

struct LostAttempt {
  wire::SharePart part = wire::SharePart::kSteps;
  bool bounded_by_count = false;
  bool started = false;
  Duration from_elapsed{};     // where it began
  Duration counted_to{};       // last acknowledged second, from the start of the workflow
  std::uint32_t attempts = 0;  // of this share that were lost, this one included
};

struct LossDecision {
  bool again = false;
  Duration from_elapsed{};  // where the next attempt begins
  Duration counted_to{};    // figures of the lost one count up to here; at most its begin: none do
};

LossDecision decide_loss(const LostAttempt& lost, OnWorkerLoss wish);

}  // namespace hyperscale::manager

// The states of a job at its manager and at its gate, and JobStateMachine, which holds one job in them (JOB-STATE-1,
// EXEC-SM-1).
//
//   SUBMITTED ─► CLASSIFYING ─► PROVISIONING ─► DISPATCHING ─► RUNNING ─► COMPLETING ─► COMPLETED, PARTIAL, FAILED
//        └────────────► QUEUED ◄─────┘  └──────────▲
//
// A gate classifies nothing and goes from SUBMITTED to QUEUED. Each state of the picture but the last three may also
// become FAILED, or CANCELLING and then CANCELLED; from QUEUED on, TIMEOUT. A failed workflow does not fail its job:
// the job goes on, and its outcome follows from all workflows. The last three, CANCELLED and TIMEOUT are final.
//
// Thread rule: one owner. A transition that is not in the table changes nothing, is counted, and returns false.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "jobs/states/state_history.h"
#include "wire/status_names.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hyperscale::jobs {

enum class JobState : std::uint8_t {
  kSubmitted,
  kClassifying,
  kProvisioning,
  kQueued,
  kDispatching,
  kRunning,
  kCompleting,
  kCancelling,
  kCompleted,
  kPartial,
  kFailed,
  kCancelled,
  kTimeout,
};
inline constexpr std::size_t kJobStates = 13;
// A job passes each state once; so no change is ever dropped.
inline constexpr std::size_t kJobHistoryMax = kJobStates;

std::string_view name(JobState state);  // "CLASSIFYING"
Result<JobState> parse_job_state(std::string_view text);

bool may_become(JobState from, JobState to);
bool is_final(JobState state);
// What messages and users see. CLASSIFYING and PROVISIONING are SUBMITTED there.
wire::JobStatus status_of(JobState state);

// The outcome of a job by its workflows, and of a job of a gate by its datacenters (RES-10, RES-15).
// REQUIRES: total > 0; none was cancelled.
JobState outcome_of(std::size_t total, std::size_t completed, std::size_t failed);

class JobStateMachine {
 public:
  // `state` is other than kSubmitted where a journal is replayed.
  explicit JobStateMachine(MonoTime now, JobState state = JobState::kSubmitted) : state_(state), since_(now) {}

  bool move(JobState to, std::string_view reason, MonoTime now);

  enum class Cancel : std::uint8_t { kBegun, kAlready, kTooLate };
  // kAlready: is being cancelled or was; the answer to the caller is the same as for kBegun (AD20-5). kTooLate: the job
  // is over otherwise.
  Cancel cancel(std::string_view reason, MonoTime now);

  JobState state() const { return state_; }
  MonoTime since() const { return since_; }
  const StateHistory<JobState>& history() const { return history_; }
  std::uint64_t refused() const { return refused_; }

 private:
  JobState state_;
  MonoTime since_;
  StateHistory<JobState> history_{kJobHistoryMax};
  std::uint64_t refused_ = 0;
};

}  // namespace hyperscale::jobs

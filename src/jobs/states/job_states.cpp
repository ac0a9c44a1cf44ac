#include "jobs/states/job_states.h"

#include "base/check.h"

#include <array>
#include <initializer_list>

namespace hyperscale::jobs {
namespace {

struct JobStateRow {
  JobState state;
  std::string_view name;
  wire::JobStatus status;
  std::uint32_t next;  // bit n: may become state n
};

constexpr std::uint32_t one_of(std::initializer_list<JobState> states) {
  std::uint32_t bits = 0;
  for (const JobState state : states) bits |= 1U << static_cast<unsigned>(state);
  return bits;
}

constexpr std::array<JobStateRow, kJobStates> job_state_rows() {
  using enum JobState;
  using wire::JobStatus;
  return {{
      {kSubmitted, "SUBMITTED", JobStatus::kSubmitted, one_of({kClassifying, kQueued, kCancelling, kFailed})},
      {kClassifying, "CLASSIFYING", JobStatus::kSubmitted, one_of({kProvisioning, kCancelling, kFailed})},
      {kProvisioning, "PROVISIONING", JobStatus::kSubmitted, one_of({kQueued, kDispatching, kCancelling, kFailed})},
      {kQueued, "QUEUED", JobStatus::kQueued, one_of({kDispatching, kCancelling, kFailed, kTimeout})},
      {kDispatching, "DISPATCHING", JobStatus::kDispatching, one_of({kRunning, kCancelling, kFailed, kTimeout})},
      {kRunning, "RUNNING", JobStatus::kRunning, one_of({kCompleting, kCancelling, kFailed, kTimeout})},
      {kCompleting, "COMPLETING", JobStatus::kCompleting,
       one_of({kCompleted, kPartial, kCancelling, kFailed, kTimeout})},
      {kCancelling, "CANCELLING", JobStatus::kCancelling, one_of({kCancelled})},
      {kCompleted, "COMPLETED", JobStatus::kCompleted, 0},
      {kPartial, "PARTIAL", JobStatus::kPartial, 0},
      {kFailed, "FAILED", JobStatus::kFailed, 0},
      {kCancelled, "CANCELLED", JobStatus::kCancelled, 0},
      {kTimeout, "TIMEOUT", JobStatus::kTimeout, 0},
  }};
}
constexpr std::array kJobStateRows = job_state_rows();

const JobStateRow& row_of(JobState state) {
  const auto index = static_cast<std::size_t>(state);
  CHECK(index < kJobStateRows.size() && kJobStateRows[index].state == state, "job state {}", index);
  return kJobStateRows[index];
}

}  // namespace

std::string_view name(JobState state) {
  return row_of(state).name;
}

Result<JobState> parse_job_state(std::string_view text) {
  for (const JobStateRow& row : kJobStateRows) {
    if (row.name == text) return row.state;
  }
  return fail(ErrorCode::kProtocol, "is not a state of a job");
}

bool may_become(JobState from, JobState to) {
  return (row_of(from).next & one_of({to})) != 0;
}

bool is_final(JobState state) {
  return row_of(state).next == 0;
}

wire::JobStatus status_of(JobState state) {
  return row_of(state).status;
}

JobState outcome_of(std::size_t total, std::size_t completed, std::size_t failed) {
  CHECK(total > 0 && completed <= total && failed <= total - completed, "{} of {} completed, {} failed", completed,
        total, failed);
  using enum JobState;
  if (completed == total) return kCompleted;
  return failed == total ? kFailed : kPartial;
}

bool JobStateMachine::move(JobState to, std::string_view reason, MonoTime now) {
  if (!may_become(state_, to)) {
    ++refused_;
    return false;
  }
  history_.add(state_, to, reason, now);
  state_ = to;
  since_ = now;
  return true;
}

JobStateMachine::Cancel JobStateMachine::cancel(std::string_view reason, MonoTime now) {
  using enum JobState;
  if (state_ == kCancelling || state_ == kCancelled) return Cancel::kAlready;
  if (is_final(state_)) return Cancel::kTooLate;
  CHECK(move(kCancelling, reason, now), "{} cannot be cancelled", name(state_));
  return Cancel::kBegun;
}

}  // namespace hyperscale::jobs

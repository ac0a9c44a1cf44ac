#include "manager/job_record.h"

#include "base/check.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hyperscale::manager {
namespace {

constexpr std::array<std::string_view, kJobStates> kStateNames{
    "SUBMITTED",  "CLASSIFYING", "PROVISIONING", "QUEUED", "DISPATCHING", "RUNNING", "COMPLETING",
    "CANCELLING", "COMPLETED",   "PARTIAL",      "FAILED", "CANCELLED",   "TIMEOUT"};

const std::string kNoReason;

}  // namespace

std::string_view name(JobState state) {
  return kStateNames[static_cast<std::size_t>(state)];
}

bool is_terminal(JobState state) {
  return state >= JobState::kCompleted;
}

bool may_follow(JobState from, JobState to) {
  if (is_terminal(from)) return false;
  switch (to) {
    case JobState::kSubmitted:
      return false;
    case JobState::kClassifying:
      return from == JobState::kSubmitted;
    case JobState::kProvisioning:
      return from == JobState::kClassifying;
    case JobState::kQueued:
      return from == JobState::kProvisioning;
    case JobState::kDispatching:
      return from == JobState::kProvisioning || from == JobState::kQueued;
    case JobState::kRunning:
      return from == JobState::kDispatching;
    case JobState::kCompleting:  // without having run: all of its workflows failed before
      return from == JobState::kDispatching || from == JobState::kRunning;
    case JobState::kCancelling:
      return from != JobState::kCancelling;
    case JobState::kCompleted:
    case JobState::kPartial:
      return from == JobState::kCompleting;
    case JobState::kFailed:
      return from != JobState::kCancelling;
    case JobState::kCancelled:
      return from == JobState::kCancelling;
    case JobState::kTimeout:
      return from == JobState::kRunning;
  }
  UNREACHABLE("state {}", static_cast<int>(to));
}

void JobRecord::enter(JobState to, MonoTime now, std::string reason) {
  CHECK(may_follow(state(), to), "from {} to {}", name(state()), name(to));
  history_.push_back({to, now, std::move(reason)});
  if (over()) goes_on();
}

const std::string& JobRecord::reason() const {
  const auto last = std::find_if(history_.rbegin(), history_.rend(), [](const Entry& e) { return !e.reason.empty(); });
  return last == history_.rend() ? kNoReason : last->reason;
}

void JobRecord::waits(std::string reason, MonoTime now, MonoTime until) {
  const bool is_same = waiting_ && waiting_->reason == reason;
  waiting_ = Waiting{std::move(reason), is_same ? waiting_->since : now, until};
}

}  // namespace hyperscale::manager

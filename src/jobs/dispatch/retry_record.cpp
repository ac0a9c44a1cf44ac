#include "jobs/dispatch/retry_record.h"

#include "base/check.h"
#include "reliability/retry_delay.h"

#include <algorithm>
#include <utility>

namespace hyperscale::jobs {

std::string_view name(RetryVerdict verdict) {
  switch (verdict) {
    case RetryVerdict::kRetry:
      return "retry";
    case RetryVerdict::kRetriesUsedUp:
      return "max_workflow_retries";
    case RetryVerdict::kTooManyDispatches:
      return "max_dispatch_attempts";
    case RetryVerdict::kNoWorkerInTime:
      return "timeout";
  }
  UNREACHABLE("retry verdict {}", static_cast<int>(verdict));
}

RetryRecord::RetryRecord(SharedBytes dispatch, MonoTime now, Prng prng)
    : dispatch_(std::move(dispatch)), prng_(prng), placeable_since_(now), not_before_(now) {}

RetryVerdict RetryRecord::lost(std::string_view worker, MonoTime now) {
  if (verdict_ != RetryVerdict::kRetry) return verdict_;
  failed_workers_.emplace(worker);
  if (retries_ == kWorkflowRetriesMax) return verdict_ = RetryVerdict::kRetriesUsedUp;
  ++retries_;
  return wait_again(now);
}

RetryVerdict RetryRecord::refused(std::string_view worker, MonoTime now) {
  if (verdict_ != RetryVerdict::kRetry) return verdict_;
  avoided_until_.insert_or_assign(std::string(worker), now + kRefusalAvoided);
  return wait_again(now);
}

RetryVerdict RetryRecord::waited(MonoTime now) {
  if (verdict_ == RetryVerdict::kRetry && now - placeable_since_ >= kDispatchTimeout) {
    verdict_ = RetryVerdict::kNoWorkerInTime;
  }
  return verdict_;
}

bool RetryRecord::may_use(std::string_view worker, MonoTime now) const {
  if (failed_workers_.contains(worker)) return false;
  const auto avoided = avoided_until_.find(worker);
  return avoided == avoided_until_.end() || now >= avoided->second;
}

RetryVerdict RetryRecord::wait_again(MonoTime now) {
  if (dispatches_ > kDispatchAttemptsMax) return verdict_ = RetryVerdict::kTooManyDispatches;
  placeable_since_ = now;
  not_before_ = now + reliability::retry_delay({}, std::max(dispatches_ - 1, 0), {}, prng_);
  return verdict_;
}

}  // namespace hyperscale::jobs

// RetryRecord: the attempts at one share (AD-9, FAIL-WORKER-1, FAIL-WORKER-2). It keeps the dispatch as it was first
// sent, the workers that are excluded, and when the next attempt may be made.
//
//   RetryRecord record(content, now, prng);
//   record.dispatched();                                   // for each attempt
//   if (record.lost("w3", now) == RetryVerdict::kRetry) ... // from record.not_before(), on a worker it may_use()
//
// Only the loss of a worker or of an attempt is a retry; the error of a workflow is never repeated, so it has no event
// here. A worker that lost the share is excluded for good. A worker that refused it is avoided for a while: it may have
// free cores later. Without a worker for kDispatchTimeout the share fails.
//
// Thread rule: one owner. Bounded: at most kWorkflowRetriesMax workers are excluded, and as many avoided as there are
// attempts. The verdict is final once it is not kRetry.
#pragma once

#include "base/bytes.h"
#include "base/prng.h"
#include "base/time.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace hyperscale::jobs {

inline constexpr int kWorkflowRetriesMax = 3;   // so four attempts, if none is refused
inline constexpr int kDispatchAttemptsMax = 5;  // more than these: evicted
inline constexpr Duration kDispatchTimeout = 300s;
inline constexpr Duration kRefusalAvoided = 30s;

enum class RetryVerdict : std::uint8_t {
  kRetry,
  kRetriesUsedUp,
  kTooManyDispatches,
  kNoWorkerInTime,
};
std::string_view name(RetryVerdict verdict);  // "max_workflow_retries", "max_dispatch_attempts", "timeout"; of reasons

class RetryRecord {
 public:
  // `dispatch`: the encoded content. The share could be placed from `now` on.
  RetryRecord(SharedBytes dispatch, MonoTime now, Prng prng);

  // The same bytes for every attempt; only its head, with the fence, differs.
  const SharedBytes& dispatch() const { return dispatch_; }

  void dispatched() { ++dispatches_; }
  // The worker died, or never acknowledged this attempt.
  RetryVerdict lost(std::string_view worker, MonoTime now);
  // The worker lives and does not take it.
  RetryVerdict refused(std::string_view worker, MonoTime now);
  // Waiting: kNoWorkerInTime when it could not be placed for kDispatchTimeout.
  RetryVerdict waited(MonoTime now);

  bool may_use(std::string_view worker, MonoTime now) const;
  // Delays grow, with jitter (AD-21).
  MonoTime not_before() const { return not_before_; }
  const std::set<std::string, std::less<>>& failed_workers() const { return failed_workers_; }
  int retries() const { return retries_; }
  int dispatches() const { return dispatches_; }

 private:
  RetryVerdict wait_again(MonoTime now);

  SharedBytes dispatch_;
  Prng prng_;
  MonoTime placeable_since_;
  MonoTime not_before_;
  std::set<std::string, std::less<>> failed_workers_;
  std::map<std::string, MonoTime, std::less<>> avoided_until_;
  int retries_ = 0;
  int dispatches_ = 0;
  RetryVerdict verdict_ = RetryVerdict::kRetry;
};

}  // namespace hyperscale::jobs
